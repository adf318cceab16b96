#include <algorithm>
#include <utility>

#include <vnode/model/mapping_policy.hpp>
#include <vnode/model/pu_distance.hpp>

#include "base/at.hpp"
#include "base/grouped.hpp"
#include "placement/slots.hpp"
#include "placement/tour.hpp"

namespace vnode {
namespace {

using Pus = std::vector<int>;

/// Returns the PUs of each L3 of a NUMA node: wherever a tour enters one, it goes through all of it or a
/// half.
std::vector<Pus> places_of(const Machine& machine, const Pus& pus) {
  const std::vector<int> l3s = pu_domains(machine, DomainLevel::l3);
  const std::vector<int> numas = pu_domains(machine, DomainLevel::numa);
  return grouped(pus, [&](int pu) { return std::pair(at(l3s, pu), at(numas, pu)); });
}

Pus through(const std::vector<Pus>& places, const std::vector<int>& tour) {
  Pus pus;
  for (const int place : tour) {
    const Pus& all = at(places, place);
    pus.insert(pus.end(), all.begin(), all.end());
  }
  return pus;
}

/// Takes one half of each place on the way there, the other on the way back.
Pus there_and_back(const std::vector<Pus>& places, const std::vector<int>& way) {
  Pus there, back;
  for (const int place : way) {
    const Pus& all = at(places, place);
    const auto half = all.begin() + (std::ssize(all) + 1) / 2;
    there.insert(there.end(), all.begin(), half);
    back.insert(back.end(), std::make_reverse_iterator(all.end()), std::make_reverse_iterator(half));
  }
  there.insert(there.end(), back.rbegin(), back.rend());
  return there;
}

/// Returns the sum of the steps of a ring along these PUs, and the longest.
std::pair<double, double> length(const Pus& ring, const PuDistance& distance) {
  double sum = 0, longest = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const double step = distance(ring[i], ring[(i + 1) % ring.size()]);
    sum += step;
    longest = std::max(longest, step);
  }
  return {sum, longest};
}

}  // namespace

Mapping ring_order_mapping(const Machine& machine, const Topology& topology,
                           const std::optional<NumaDistances>& distances) {
  const std::vector<Pus> places =
      places_of(machine, divided(machine, compact_slots(machine, topology.nodes())).pus);
  const PuDistance distance(machine, distances);
  const auto tour = [&](bool closed) {
    return short_tour(static_cast<int>(places.size()), closed,
                      [&](int a, int b) { return distance(at(places, a).front(), at(places, b).front()); });
  };
  const std::vector<int> way = tour(false);
  if (topology.family() == Family::array) return mapping_on(machine, through(places, way));
  Pus round = through(places, tour(true)), returning = there_and_back(places, way);
  const bool shorter = length(returning, distance) < length(round, distance);
  return mapping_on(machine, std::move(shorter ? returning : round));
}

}  // namespace vnode
