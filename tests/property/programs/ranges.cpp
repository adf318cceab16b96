#include "ranges.hpp"

#include <numeric>

#include "random.hpp"

namespace vnode_test {
namespace {

using enum vnode::Collective;

std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

std::size_t count_of(const Operation& operation, int rank) {
  return operation.varying ? operation.counts[at(rank)] : operation.count;
}
std::size_t pair_count(const Operation& operation, int nodes, int from, int to) {
  return operation.varying ? operation.counts[at(from * nodes + to)] : operation.count;
}

bool divides_input(vnode::Collective collective) {
  return collective == reduce_scatter || collective == scatter || collective == all_to_all;
}

/// Parts in any order, with gaps between some of them.
void displace(Division& made, std::uint64_t salt) {
  Random random(salt);
  made.plain = random.one_in(3);
  std::vector<std::size_t> order(made.counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!made.plain) random.shuffle(order);
  made.displacements.resize(made.counts.size());
  for (const std::size_t part : order) {
    if (!made.plain) made.size += random.below(std::size_t{3});
    made.displacements[part] = made.size;
    made.size += made.counts[part];
  }
  if (!made.plain) made.size += random.below(std::size_t{3});
}

/// One stretch: what `first` .. `last` - 1 bring.
Range undivided(std::size_t count, int first, int last, int target = -1) {
  return {count, {{0, count, first, last, target}}};
}

}

Division division(const Operation& operation, int nodes, int rank, bool output) {
  Division made;
  for (int other = 0; other < nodes; ++other)
    made.counts.push_back(operation.collective != all_to_all ? count_of(operation, other)
                          : output                           ? pair_count(operation, nodes, other, rank)
                                                             : pair_count(operation, nodes, rank, other));
  const bool one_range = operation.in_place || operation.collective != all_to_all;
  if (operation.varying && operation.collective != reduce_scatter) {
    displace(made, operation.layout + 2 * at(rank) + (output && !one_range));
    return made;
  }
  for (const std::size_t count : made.counts) {
    made.displacements.push_back(made.size);
    made.size += count;
  }
  return made;
}

Range brought(const Operation& operation, int nodes, int rank) {
  const bool root = rank == operation.root;
  switch (operation.collective) {
    case barrier:
      return {};
    case broadcast:
      return root ? undivided(operation.count, rank, rank + 1) : Range{operation.count};
    case scatter:
      if (!root) return {};
      break;
    case gather:
    case all_gather:
      if (operation.in_place && (root || operation.collective == all_gather)) {
        const Division parts = division(operation, nodes, rank, true);
        return {parts.size, {{parts.displacements[at(rank)], parts.counts[at(rank)], rank, rank + 1}}};
      }
      return undivided(count_of(operation, rank), rank, rank + 1);
    default:
      if (!divides_input(operation.collective)) return undivided(operation.count, rank, rank + 1);
  }
  const Division parts = division(operation, nodes, rank, false);
  Range range{parts.size};
  for (int target = 0; target < nodes; ++target)
    range.stretches.push_back(
        {parts.displacements[at(target)], parts.counts[at(target)], rank, rank + 1, target});
  return range;
}

Range wanted(const Operation& operation, int nodes, int rank) {
  const bool root = rank == operation.root;
  switch (operation.collective) {
    case barrier:
      return {};
    case broadcast:
      return undivided(operation.count, operation.root, operation.root + 1);
    case reduce:
      if (!root) return {operation.layout % 2 == 0 ? operation.count : 0};  // not touched
      [[fallthrough]];
    case all_reduce:
      return undivided(operation.count, 0, nodes);
    case scan:
      return undivided(operation.count, 0, rank + 1);
    case exclusive_scan:
      return rank > 0 ? undivided(operation.count, 0, rank) : Range{operation.count};
    case reduce_scatter:
      return undivided(count_of(operation, rank), 0, nodes, rank);
    case scatter:
      if (operation.in_place && root) return {};
      return undivided(count_of(operation, rank), operation.root, operation.root + 1, rank);
    case circular_shift: {
      const int source = ((rank - operation.shift) % nodes + nodes) % nodes;
      return undivided(operation.count, source, source + 1);
    }
    case gather:
      if (!root) return {};
      [[fallthrough]];
    case all_gather:
    case all_to_all:
      break;
  }
  const Division parts = division(operation, nodes, rank, true);
  Range range{parts.size};
  for (int source = 0; source < nodes; ++source)
    range.stretches.push_back({parts.displacements[at(source)], parts.counts[at(source)], source, source + 1,
                               operation.collective == all_to_all ? rank : -1});
  return range;
}

}
