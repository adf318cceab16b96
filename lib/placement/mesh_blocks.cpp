#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include <vnode/error.hpp>
#include <vnode/lab/mapping_metrics.hpp>
#include <vnode/lab/mapping_policy.hpp>

#include "placement/blocks.hpp"
#include "placement/parts.hpp"
#include "placement/slots.hpp"

namespace vnode {
namespace {

void assign(const Topology& topology, std::vector<Rank> nodes, const PuPart& part, BlockShape shape,
            std::vector<int>& pus) {
  if (part.parts.empty()) {
    std::ranges::sort(nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) pus[static_cast<std::size_t>(nodes[i])] = part.pus[i];
    return;
  }
  std::vector<int> sizes;
  for (const PuPart& inner : part.parts) sizes.push_back(static_cast<int>(inner.pus.size()));
  std::vector<std::vector<Rank>> divided = divided_in_blocks(topology, std::move(nodes), sizes, shape);
  for (std::size_t i = 0; i < divided.size(); ++i)
    assign(topology, std::move(divided[i]), part.parts[i], shape, pus);
}

}  // namespace

Mapping mesh_blocks_mapping(const Machine& machine, const Topology& topology,
                            const std::optional<NumaDistances>& distances) {
  if (topology.family() == Family::tree || topology.family() == Family::full)
    throw UsageError(
        fmt::format("mesh_blocks needs nodes with coordinates, as array, ring, mesh, torus and hypercube "
                    "have: {} has none",
                    name(topology.family())));
  std::vector<Rank> all(static_cast<std::size_t>(topology.nodes()));
  std::iota(all.begin(), all.end(), 0);
  const PuPart parts = divided(machine, compact_slots(machine, topology.nodes()));
  const auto mapping = [&](BlockShape shape) {
    std::vector<int> pus(all.size());
    assign(topology, all, parts, shape, pus);
    return mapping_on(machine, std::move(pus));
  };
  Mapping boxes = mapping(BlockShape::boxes), halves = mapping(BlockShape::halves);
  const auto hops = [&](const Mapping& of) { return weighted_hops(machine, topology, of, {}, distances); };
  return hops(halves) < hops(boxes) ? halves : boxes;
}

}  // namespace vnode
