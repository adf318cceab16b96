#include "placement/slots.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include <vnode/error.hpp>

namespace vnode {

std::vector<std::vector<int>> pu_layers(const Machine& machine) {
  std::vector<std::vector<int>> layers;
  for (const Core& core : machine.cores) {
    std::size_t place = 0;
    for (const int pu : core.pus) {
      if (!machine.pus[static_cast<std::size_t>(pu)].allowed) continue;
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
  for (const int pu : pus) cores.insert(machine.pus[static_cast<std::size_t>(pu)].core);
  const bool own_core = cores.size() == pus.size();
  return {.pu = std::move(pus), .own_core = own_core, .cores_used = static_cast<int>(cores.size())};
}

}  // namespace vnode
