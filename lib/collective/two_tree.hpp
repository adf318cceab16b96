#pragma once

#include <array>

#include <vnode/collective.hpp>
#include <vnode/compose.hpp>

#include "collective/formula.hpp"
#include "collective/pipelined_trees.hpp"
#include "collective/reduction.hpp"

namespace vnode {

// Two trees over the same nodes that carry even and odd segments (two_colouring.hpp). Rank 0 is the root of
// both; below it is the in-order tree of ranks 1 .. p - 1, and a second one in which its inner nodes are
// leaves. With one segment the first is all there is.

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

/// The colour of the edge to node i, 1 <= i <= n, in the in-order tree on 1 .. n for even n, where the edges
/// of the mirrored tree to the same nodes have the other: 0 for its root. O(log n).
int mirrored_colour(int i, int n);

/// With rank 0 called `root`, and so on.
template <PipelinedTrees (*trees)(const Parameters&)>
PipelinedTrees from_root(const Parameters& parameters) {
  return trees(parameters).rotated(parameters.root);
}

/// A broadcast down both trees, and what it promises.
template <PipelinedTrees (*trees)(const Parameters&)>
struct DownTwoTrees : DownTrees<from_root<trees>> {
  static int transfers(const Parameters& parameters) { return one_per_segment.value(parameters); }
  static Cost cost(const Parameters& parameters) {
    return in_parts(whole_messages(DownTwoTrees::rounds(parameters)), parameters.segments);
  }
  static constexpr Symbol symbols[] = {
      {"D", "the rounds beyond one for each segment", [](const Parameters& parameters) {
         return double(DownTwoTrees::rounds(parameters) - parameters.segments);
       }}};
};

/// The row of such a broadcast.
template <PipelinedTrees (*trees)(const Parameters&)>
constexpr Algorithm two_tree_broadcast(std::string_view name, std::string_view source) {
  return row_of<DownTwoTrees<trees>>({
      .name = name,
      .collective = Collective::broadcast,
      .rounds = "(k + D) [p > 1]",
      .transfers = "(p - 1) k",
      .time = "(k + D) [p > 1] (t_s + t_w m / k)",
      .symbols = DownTwoTrees<trees>::symbols,
      .segments = true,
      .carriers = fully_connected,
      .sweep_to = 130,
      .best_for = "long messages, any number of nodes, all pairs linked",
      .source = source,
  });
}

/// The reduction up both trees. The ranks but the root, in order, run over p - 1 to 0.
template <const Algorithm& broadcast, PipelinedTrees (*trees)(const Parameters&)>
struct UpTwoTrees {
  static constexpr bool through_zero(const Parameters& parameters) {
    return breaks_order(parameters, parameters.nodes - 1);
  }
  using Promised = ReductionAlong<broadcast, through_zero>;
  static constexpr Symbol symbols[] = {DownTwoTrees<trees>::symbols[0], Promised::z};
};

/// Its row.
template <const Algorithm& broadcast, PipelinedTrees (*trees)(const Parameters&)>
constexpr Algorithm two_tree_reduction(std::string_view name, std::string_view source) {
  using Up = UpTwoTrees<broadcast, trees>;
  return row_of<typename Up::Promised>({
      .name = name,
      .collective = Collective::reduce,
      .rounds = "(k + D) [p > 1] + z",
      .transfers = "(p - 1) k + z",
      .time = "(k + D) [p > 1] (t_s + (t_w + t_op) m / k) + z (t_s + t_w m)",
      .symbols = Up::symbols,
      .segments = true,
      .keeps_order = KeepsOrder::through_zero,
      .carriers = fully_connected,
      .sweep_to = 130,
      .best_for = "long messages, any number of nodes, all pairs linked",
      .source = source,
  });
}

/// An all_reduce up both trees and down again, and what it promises.
template <PipelinedTrees (*trees)(const Parameters&)>
struct UpAndDown {
  static Schedule build(const Parameters& parameters) {
    const Schedule down = remembered<trees>(parameters).broadcast();
    return then(dual(down), down);
  }
  static int rounds(const Parameters& parameters) { return 2 * remembered<trees>(parameters).rounds(); }
  static int transfers(const Parameters& parameters) {
    return 2 * parameters.segments * (parameters.nodes - 1);
  }
  static Cost cost(const Parameters& parameters) {
    const Cost down = in_parts(whole_messages(remembered<trees>(parameters).rounds()), parameters.segments);
    return combining(down) + down;
  }
  static constexpr Symbol symbols[] = {
      {"D", "the rounds of one way beyond one for each segment: the greatest delay, less than 2 ceil(log2 p)",
       [](const Parameters& parameters) { return rounds(parameters) / 2.0 - parameters.segments; }}};
  static bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
    const PipelinedTrees& both = remembered<trees>(parameters);
    const int turn = both.rounds();
    return round < turn ? both.peers(turn - 1 - round, to, from) : both.peers(round - turn, from, to);
  }
};

}  // namespace vnode
