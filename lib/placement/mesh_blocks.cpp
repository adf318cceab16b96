#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include <vnode/error.hpp>
#include <vnode/mapping_policy.hpp>

#include "placement/blocks.hpp"
#include "placement/parts.hpp"
#include "placement/slots.hpp"

namespace vnode {
namespace {

void assign(const Topology& topology, std::vector<Rank> nodes, const PuPart& part, std::vector<int>& pus) {
  if (part.parts.empty()) {
    std::ranges::sort(nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) pus[static_cast<std::size_t>(nodes[i])] = part.pus[i];
    return;
  }
  std::vector<int> sizes;
  for (const PuPart& inner : part.parts) sizes.push_back(static_cast<int>(inner.pus.size()));
  std::vector<std::vector<Rank>> blocks = divided_in_blocks(topology, std::move(nodes), sizes);
  for (std::size_t i = 0; i < blocks.size(); ++i) assign(topology, std::move(blocks[i]), part.parts[i], pus);
}

}  // namespace

Mapping mesh_blocks_mapping(const Machine& machine, const Topology& topology) {
  if (topology.family() == Family::tree || topology.family() == Family::full)
    throw UsageError(
        fmt::format("mesh_blocks needs nodes with coordinates, as array, ring, mesh, torus and hypercube "
                    "have: {} has none",
                    name(topology.family())));
  std::vector<Rank> all(static_cast<std::size_t>(topology.nodes()));
  std::iota(all.begin(), all.end(), 0);
  std::vector<int> pus(all.size());
  assign(topology, all, divided(machine, compact_slots(machine, topology.nodes())), pus);
  return mapping_on(machine, std::move(pus));
}

}  // namespace vnode
