#pragma once

#include <array>
#include <vector>

#include "building_blocks/pipelined_trees.hpp"

namespace vnode {

// These colour two trees over the same nodes, of which inner nodes of one are leaves of the other, so that no
// port has more than two edges. They are used in turn: every edge has a colour, the parity of its rounds.

/// Gives the edge to each child of each tree a colour, 0 or 1: by tree, then by child.
using Colours = std::array<std::vector<int>, 2>;

/// Returns the trees with these colours: a segment waits a round wherever it comes in the other colour's.
PipelinedTrees in_turn(const std::array<Parents, 2>& parents, const Colours& colours, int segments);

/// Returns the trees with colours of which an edge that is free to choose takes the one with which it waits
/// least. O(p). The second tree of one segment carries nothing, and no edge of it is in the way.
PipelinedTrees in_turn(std::array<Parents, 2> parents, int segments);

}  // namespace vnode
