#pragma once

#include <vnode/collective.hpp>

#include "collective/formula.hpp"
#include "collective/pipelined_trees.hpp"

namespace vnode {

/// How many of n nodes of a binary tree are below the child to which its root sends first; the other child
/// has the rest. 0 for n = 1.
using FirstSubtree = int (*)(int n);

/// Down a binary tree over ranks relative to the root, in preorder: each node sends a segment to its first
/// child, then to its second, and then the next segment may come. A node's first child is the next rank.
/// With keep_order its second child is: then in the dual, where the second is heard before the first, they
/// are heard in rank order. O(p).
PipelinedTrees binary_tree(const Parameters& parameters, FirstSubtree first);

/// Of the complete tree, all of whose levels are full but the last, which is filled from its beginning.
int first_complete(int n);
/// The rounds in which it brings everybody one segment.
int complete_depth(int n);

/// Of the tree with the most nodes for its depth d, 1 + N(d - 1) + N(d - 2), cut down to n nodes at its end.
int first_fibonacci(int n);
/// d, the rounds in which it brings everybody one segment.
int fibonacci_depth(int n);

// The names of these rounds in formulas.
inline constexpr Symbol complete_rounds{
    "D", "the rounds in which one segment reaches everybody",
    [](const Parameters& parameters) { return double(complete_depth(parameters.nodes)); }};
inline constexpr Symbol fibonacci_levels{
    "d", "the depth of the tree, with 1, 2, 4, 7, 12 ... nodes at most",
    [](const Parameters& parameters) { return double(fibonacci_depth(parameters.nodes)); }};

/// The broadcast down a binary tree, and what it promises. One segment takes `depth` rounds; the next follows
/// it two rounds later, one round where p <= `path`, and nobody has two children.
template <FirstSubtree first, int (*depth)(int), int path>
struct DownBinaryTree {
  static Schedule build(const Parameters& parameters) { return binary_tree(parameters, first).broadcast(); }
  static int rounds(const Parameters& parameters) {
    const int p = parameters.nodes, period = p > path ? 2 : 1;
    return p > 1 ? depth(p) + period * (parameters.segments - 1) : 0;
  }
  static int transfers(const Parameters& parameters) { return one_per_segment.value(parameters); }
  static Cost cost(const Parameters& parameters) {
    return in_parts(whole_messages(rounds(parameters)), parameters.segments);
  }
  static bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
    return binary_tree(parameters, first).peers(round, from, to);
  }
};

}  // namespace vnode
