#pragma once

#include <cstddef>
#include <vector>

#include "program.hpp"

namespace vnode_test {

/// Elements of a node's range that belong together: the contributions of ranks first .. last - 1, combined if
/// they are several, to what is meant for rank `target` (-1: for all).
struct Stretch {
  std::size_t at = 0, count = 0;
  int first = 0, last = 1;
  int target = -1;
};

/// A node's range of a collective call: its size, and where what lies in it. The rest is not touched.
struct Range {
  std::size_t size = 0;
  std::vector<Stretch> stretches = {};
};

/// Describes how a range is divided among the ranks.
struct Division {
  std::vector<std::size_t> counts, displacements;
  std::size_t size = 0;
  /// Parts follow one another, and nobody needs to be told the displacements.
  bool plain = true;
};

/// Returns the division of what rank `rank` brings to a v-variant (`output`: of what it takes away), where it
/// is divided.
Division division(const Operation& operation, int nodes, int rank, bool output);

/// Returns what `rank` passes in, and what it must get out; in place, both are of its only range.
/// Sequentially, from the definition of the collective.
Range brought(const Operation& operation, int nodes, int rank);
Range wanted(const Operation& operation, int nodes, int rank);

}
