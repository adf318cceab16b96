#include <map>
#include <utility>

#include <vnode/mapping_policy.hpp>
#include <vnode/pu_distance.hpp>

#include "placement/parts.hpp"
#include "placement/slots.hpp"
#include "placement/tour.hpp"

namespace vnode {

Mapping ring_order_mapping(const Machine& machine, const Topology& topology) {
  const PuPart all = divided(machine, compact_slots(machine, topology.nodes()));
  // Wherever a tour enters an L3 of a NUMA node, it goes through all of it.
  const std::vector<int> l3s = pu_domains(machine, DomainLevel::l3);
  const std::vector<int> numas = pu_domains(machine, DomainLevel::numa);
  std::vector<std::vector<int>> places;
  std::map<std::pair<int, int>, std::size_t> numbers;
  for (const int pu : all.pus) {
    const auto at = static_cast<std::size_t>(pu);
    const auto [number, is_new] = numbers.emplace(std::pair(l3s[at], numas[at]), places.size());
    if (is_new) places.emplace_back();
    places[number->second].push_back(pu);
  }
  const PuDistance distance(machine);
  const auto first = [&](int place) { return places[static_cast<std::size_t>(place)].front(); };
  std::vector<int> pus;
  for (const int place : short_tour(static_cast<int>(places.size()), topology.family() != Family::array,
                                    [&](int a, int b) { return distance(first(a), first(b)); }))
    pus.insert(pus.end(), places[static_cast<std::size_t>(place)].begin(),
               places[static_cast<std::size_t>(place)].end());
  return mapping_on(machine, std::move(pus));
}

}  // namespace vnode
