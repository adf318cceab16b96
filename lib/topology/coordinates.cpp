#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vnode/error.hpp>
#include <vnode/topology.hpp>

#include "topology/range.hpp"

namespace vnode {

int Topology::extent(int dimension) const {
  check_range("dimension", dimension, dimensions_);
  return extents_[static_cast<std::size_t>(dimensions_ - 1 - dimension)];
}

int Topology::coordinate(Rank rank, int dimension) const {
  check_range("node", rank, nodes_);
  check_range("dimension", dimension, dimensions_);
  for (int faster = 0; faster < dimension; ++faster) rank /= extent(faster);
  return rank % extent(dimension);
}

std::vector<int> Topology::coordinates(Rank rank) const {
  check_range("node", rank, nodes_);
  std::vector<int> coordinates(static_cast<std::size_t>(dimensions_));
  for (std::size_t i = coordinates.size(); i-- > 0; rank /= extents_[i]) coordinates[i] = rank % extents_[i];
  return coordinates;
}

Rank Topology::rank_at(std::span<const int> coordinates) const {
  if (coordinates.size() != extents().size())
    throw UsageError(
        fmt::format("a node of {} has {} coordinates, not {}", text(), dimensions_, coordinates.size()));
  Rank rank = 0;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (coordinates[i] < 0 || coordinates[i] >= extents_[i])
      throw UsageError(fmt::format("{} has no node at ({}): {} is not within 0 to {}", text(),
                                   fmt::join(coordinates, ","), coordinates[i], extents_[i] - 1));
    rank = rank * extents_[i] + coordinates[i];
  }
  return rank;
}

Rank Topology::rank_at(std::initializer_list<int> coordinates) const {
  return rank_at(std::span<const int>{coordinates.begin(), coordinates.size()});
}

}  // namespace vnode
