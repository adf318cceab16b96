#include "placement/slots.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include <vnode/error.hpp>

#include "base/at.hpp"
#include "base/grouped.hpp"
#include "machine/pu_places.hpp"

namespace vnode {

std::vector<std::vector<int>> pu_layers(const Machine& machine) {
  std::vector<std::vector<int>> layers;
  for (const Core& core : machine.cores) {
    std::size_t place = 0;
    for (const int pu : core.pus) {
      if (!at(machine.pus, pu).allowed) continue;
      if (place == layers.size()) layers.emplace_back();
      layers[place++].push_back(pu);
    }
  }
  if (layers.empty()) throw UsageError("cannot map nodes to a machine without an allowed PU");
  for (std::vector<int>& layer : layers) std::ranges::sort(layer);
  return layers;
}

void check_nodes(int nodes) {
  if (nodes < 1) throw UsageError(fmt::format("cannot map {} nodes: at least 1 is needed", nodes));
}

Slots slots(const Machine& machine, int nodes) {
  check_nodes(nodes);
  const std::vector<std::vector<int>> layers = pu_layers(machine);
  const auto size = [](const std::vector<int>& layer) { return static_cast<int>(layer.size()); };
  Slots slots{.take = nodes};
  std::size_t next = 0;
  for (; slots.take >= size(layers[next]); next = (next + 1) % layers.size()) {
    slots.certain.insert(slots.certain.end(), layers[next].begin(), layers[next].end());
    slots.take -= size(layers[next]);
  }
  std::ranges::sort(slots.certain);
  slots.open = layers[next];
  return slots;
}

std::vector<int> compact_slots(const Machine& machine, int nodes) {
  Slots some = slots(machine, nodes);
  some.certain.insert(some.certain.end(), some.open.begin(), some.open.begin() + some.take);
  std::ranges::sort(some.certain);
  return some.certain;
}

Mapping mapping_on(const Machine& machine, std::vector<int> pus) {
  std::set<int> cores;
  for (const int pu : pus) cores.insert(at(machine.pus, pu).core);
  const bool own_core = cores.size() == pus.size();
  return {.pu = std::move(pus), .own_core = own_core, .cores_used = static_cast<int>(cores.size())};
}

namespace {

/// Tells by PU which part of one kind it belongs to. PUs without a part of the kind form one in each part
/// around them.
using Kind = std::vector<int>;

int largest(const Kind& kind) {
  std::map<int, int> sizes;
  int most = 0;
  for (const int part : kind) most = std::max(most, ++sizes[part]);
  return most;
}

std::array<Kind, 5> kinds_of(const Machine& machine) {
  std::array<Kind, 5> kinds;
  auto& [packages, numas, l3s, l2s, cores] = kinds;
  for (const PuPlace& place : pu_places(machine)) {
    packages.push_back(place.package);
    numas.push_back(place.numa);
    l3s.push_back(place.l3);
    l2s.push_back(place.l2);
    cores.push_back(place.core);
  }
  const auto caches = static_cast<int>(machine.caches.size());
  std::map<std::pair<int, int>, int> around;  // by NUMA node and package: the number of what has no L3
  for (std::size_t pu = 0; pu < l3s.size(); ++pu) {
    if (l3s[pu] < 0)
      l3s[pu] = around.emplace(std::pair(numas[pu], packages[pu]), caches + static_cast<int>(around.size()))
                    .first->second;
    if (l2s[pu] < 0) l2s[pu] = caches + l3s[pu];
  }
  std::ranges::stable_sort(kinds, std::greater(), largest);
  return kinds;
}

PuPart divide(const std::vector<int>& pus, const std::array<Kind, 5>& kinds, std::size_t level) {
  for (; level < kinds.size(); ++level) {
    const std::vector<std::vector<int>> groups = grouped(pus, [&](int pu) { return at(kinds[level], pu); });
    if (groups.size() < 2) continue;
    PuPart part;
    for (const std::vector<int>& group : groups) {
      part.parts.push_back(divide(group, kinds, level + 1));
      const std::vector<int>& inner = part.parts.back().pus;
      part.pus.insert(part.pus.end(), inner.begin(), inner.end());
    }
    return part;
  }
  return {.pus = pus};
}

}  // namespace

PuPart divided(const Machine& machine, const std::vector<int>& pus) {
  return divide(pus, kinds_of(machine), 0);
}

}  // namespace vnode
