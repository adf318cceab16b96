#pragma once

#include <vnode/model/algorithms.hpp>

#include "building_blocks/pipelined_trees.hpp"

namespace vnode {

/// Returns how many of n nodes of a binary tree are below the child to which its root sends first; the other
/// child has the rest. 0 for n = 1.
using FirstSubtree = int (*)(int n);

/// Returns a broadcast down a binary tree over ranks relative to the root, in preorder: each node sends a
/// segment to its first child, then to its second, and then the next segment may come. A node's first child
/// is the next rank. With keep_order its second child is: then in the dual, where the second is heard before
/// the first, they are heard in rank order. Cost: O(p).
PipelinedTrees binary_tree(const Parameters& parameters, FirstSubtree first);

/// Is the FirstSubtree of the complete tree: all levels are full but the last, which is filled from its
/// beginning.
int first_complete(int n);
/// Returns in how many rounds that tree brings everybody one segment.
int complete_depth(int n);

/// Is the FirstSubtree of the tree with the most nodes for its depth d, N(d) = 1 + N(d - 1) + N(d - 2), cut
/// down to n nodes at its end.
int first_fibonacci(int n);
/// Returns d, the number of rounds in which that tree brings everybody one segment.
int fibonacci_depth(int n);

}  // namespace vnode
