#pragma once

#include <vnode/model/algorithms.hpp>

#include "building_blocks/pipelined_trees.hpp"

namespace vnode {

// These make two trees over the same nodes that carry even and odd segments (two_colouring.hpp). Rank 0 is
// the root of both; below it is the in-order tree of ranks 1 .. p - 1, and a second one in which its inner
// nodes are leaves. With one segment the first is all there is.

/// The second is the first mirrored (Sanders, Speck, Traeff 2009); where p is even, of all ranks but the
/// last, which is a leaf more in both. With keep_order subtrees are intervals of ranks in the second tree,
/// too, where p is even.
PipelinedTrees two_trees(const Parameters& parameters);
/// The second is the first with every rank in the place of the next. With keep_order subtrees are intervals
/// of ranks in the second, too.
PipelinedTrees shifted_two_trees(const Parameters& parameters);
/// Rank 0 is the root of the first, below it the same in-order tree; the second is the first mirrored, or for
/// odd p shifted by one rank (NCCL).
PipelinedTrees double_binary_trees(const Parameters& parameters);

/// Returns the colour of the edge to node i, 1 <= i <= n, in the in-order tree on 1 .. n for even n, where
/// the edges of the mirrored tree to the same nodes have the other: 0 for its root. O(log n).
int mirrored_colour(int i, int n);

}  // namespace vnode
