#include <fmt/format.h>
#include <limits>
#include <unordered_map>

#include <vnode/error.hpp>
#include <vnode/neighbours.hpp>

#include "base/at.hpp"

namespace vnode {
namespace {

/// Returns which of the entries with the same rank each entry is.
std::vector<std::uint16_t> numbered(std::span<const Rank> ranks) {
  std::vector<std::uint16_t> numbers;
  std::unordered_map<Rank, int> seen;
  for (const Rank rank : ranks) {
    const int number = rank == no_rank ? 0 : seen[rank]++;
    if (number > std::numeric_limits<std::uint16_t>::max())
      throw UsageError(fmt::format("neighbours: node {} is listed more than 65536 times", rank));
    numbers.push_back(static_cast<std::uint16_t>(number));
  }
  return numbers;
}

/// Returns the neighbour at so many steps in one dimension, or no_rank beyond a border.
Rank beside(std::span<const int> extents, std::vector<int> place, std::size_t dimension, int step,
            bool periodic) {
  int& coordinate = place[dimension];
  const int extent = extents[dimension];
  coordinate += step;
  if (periodic)
    coordinate = (coordinate + extent) % extent;
  else if (coordinate < 0 || coordinate >= extent)
    return no_rank;
  Rank rank = 0;
  for (std::size_t i = 0; i < place.size(); ++i) rank = rank * extents[i] + place[i];
  return rank;
}

}  // namespace

Neighbours::Neighbours() : lists_(std::make_shared<const Lists>()) {}

Neighbours::Neighbours(const Topology& topology, Rank rank) {
  if (topology.family() == Family::tree)
    throw UsageError(
        "neighbours: the nodes of a tree are linked to switches and have no neighbours: list some, as "
        "Neighbours{sources, targets}");
  Lists lists;
  const std::vector<int> place = topology.coordinates(rank);
  const auto add = [&](Rank neighbour, std::size_t leaves, std::size_t arrives) {
    lists.sources.push_back(neighbour);
    lists.targets.push_back(neighbour);
    lists.source_marks.push_back(static_cast<std::uint16_t>(leaves));
    lists.target_marks.push_back(static_cast<std::uint16_t>(arrives));
  };
  switch (topology.family()) {
    case Family::hypercube:
      for (int bit = 0; bit < topology.dimensions(); ++bit) {
        const auto number = static_cast<std::size_t>(bit);
        add(rank ^ (1 << bit), number, number);
      }
      break;
    case Family::full:
      for (Rank other = 0; other < topology.nodes(); ++other)
        if (other != rank) add(other, 0, 0);
      break;
    default: {
      const bool periodic = topology.family() == Family::ring || topology.family() == Family::torus;
      for (std::size_t dimension = 0; dimension < place.size(); ++dimension)
        for (const std::size_t side : {0u, 1u})  // lower, higher
          add(beside(topology.extents(), place, dimension, side == 0 ? -1 : 1, periodic),
              2 * dimension + side, 2 * dimension + (1 - side));
    }
  }
  lists_ = std::make_shared<const Lists>(std::move(lists));
}

Neighbours::Neighbours(std::span<const Rank> sources, std::span<const Rank> targets)
    : lists_(std::make_shared<const Lists>(Lists{{sources.begin(), sources.end()},
                                                 {targets.begin(), targets.end()},
                                                 numbered(sources),
                                                 numbered(targets)})) {}

}  // namespace vnode
