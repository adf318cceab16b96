#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/topology.hpp>

#include "base/counted.hpp"
#include "topology/factorisation.hpp"

namespace vnode {
namespace {

int checked_nodes(Family family, int nodes) {
  if (nodes < 1) throw UsageError(fmt::format("a topology has at least 1 node, not {}", nodes));
  if (nodes > max_nodes)
    throw UsageError(fmt::format("a topology has at most {} nodes, not {}", max_nodes, nodes));
  if (family == Family::full && nodes > max_full_nodes)
    throw UsageError(fmt::format(
        "a full topology has at most {} nodes, not {}: it would have more links than can be numbered; "
        "hypercube or torus would be right",
        max_full_nodes, nodes));
  return nodes;
}

int checked_log2(Family family, int nodes) {
  const auto p = static_cast<unsigned>(nodes);
  if (!std::has_single_bit(p))
    throw UsageError(fmt::format("a {} has a power of two of nodes, not {}: {} or {} would be right",
                                 name(family), nodes, std::bit_floor(p), std::bit_ceil(p)));
  return std::countr_zero(p);
}

/// Of a mesh or torus: the shape with its extents filled in.
Shape resolved(const Shape& shape, int nodes) {
  if (shape.nodes() == nodes) return shape;
  const Shape squarest(shape.family(), squarest_factorisation(nodes));
  if (!shape.nodes()) return squarest;
  throw UsageError(fmt::format("{} has {}, not {}: {} would be right", shape.text(),
                               counted(*shape.nodes(), "node"), nodes, squarest.text()));
}

}  // namespace

Topology::Topology(const Shape& shape, int nodes)
    : family_(shape.family()), nodes_(checked_nodes(shape.family(), nodes)) {
  switch (family_) {
    case Family::mesh:
    case Family::torus: {
      const Shape complete = resolved(shape, nodes);
      dimensions_ = static_cast<int>(complete.extents().size());
      std::ranges::copy(complete.extents(), extents_.begin());
      break;
    }
    case Family::hypercube:
    case Family::tree:
      dimensions_ = checked_log2(family_, nodes);
      std::fill_n(extents_.begin(), dimensions_, 2);
      break;
    case Family::array:
    case Family::ring:
    case Family::full:
      dimensions_ = 1;
      extents_[0] = nodes;
      break;
  }
}

Shape Topology::shape() const {
  const bool grid = family_ == Family::mesh || family_ == Family::torus;
  return grid ? Shape(family_, extents()) : Shape(family_);
}

}  // namespace vnode
