// Even segments go through one tree, odd ones through another, in which everybody inner in the first is a
// leaf: no port has more than two edges, and the trees are used in turn.
#include "building_blocks/composition.hpp"
#include "building_blocks/remembered.hpp"
#include "building_blocks/two_trees.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace two_tree {

using Trees = PipelinedTrees (*)(const Parameters&);

// Returns the trees with rank 0 called `root`, and so on.
template <Trees trees>
PipelinedTrees from_root(const Parameters& parameters) {
  return trees(parameters).rotated(parameters.root);
}

// The rounds follow from the colours of the edges: D <= 2 ceil(log2 p) - 2, which also depends on whether k
// is even; for even p and keep_order it may be one more.
template <Trees trees>
constexpr Count down_rounds{"(k + D) [p > 1]", [](const Parameters& parameters) {
                              return remembered<from_root<trees>>(parameters).rounds();
                            }};
template <Trees trees>
constexpr Symbol down_symbols[] = {
    {"D", "the rounds beyond one for each segment", [](const Parameters& parameters) {
       return double(down_rounds<trees>.value(parameters) - parameters.segments);
     }}};

template <Trees trees>
constexpr Algorithm down_row(const RowOverrides& own) {
  const RowOverrides both{
      .build =
          [](const Parameters& parameters) { return remembered<from_root<trees>>(parameters).broadcast(); },
      .best_segments = "sqrt(D t_w m / t_s)",
      .symbols = down_symbols<trees>,
      .peers = [](const Parameters& parameters, int round, Rank from,
                  Rank to) { return remembered<from_root<trees>>(parameters).peers(round, from, to); },
      .carriers = fully_connected,
      .sweep_to = 130,
      .best_for = "long messages, any number of nodes, all pairs linked",
  };
  return derived(segment_row<down_rounds<trees>>(both), own);
}

// The ranks but the root, in order, run over p - 1 to 0.
bool through_zero(const Parameters& parameters) { return breaks_order(parameters, parameters.nodes - 1); }

// Goes up both trees and down again.
template <Trees trees>
struct UpAndDown {
  static Schedule build(const Parameters& parameters) {
    const Schedule down = remembered<trees>(parameters).broadcast();
    return compose::then(compose::dual(down), down);
  }
  static int rounds(const Parameters& parameters) { return 2 * remembered<trees>(parameters).rounds(); }
  static Cost cost(const Parameters& parameters) {
    const Cost down = in_parts(whole_messages(remembered<trees>(parameters).rounds()), parameters.segments);
    return combining(down) + down;
  }
  static bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
    const PipelinedTrees& both = remembered<trees>(parameters);
    const int turn = both.rounds();
    return round < turn ? both.peers(turn - 1 - round, to, from) : both.peers(round - turn, from, to);
  }
  static constexpr Symbol symbols[] = {
      {"D", "the rounds of one way beyond one for each segment: the greatest delay, less than 2 ceil(log2 p)",
       [](const Parameters& parameters) { return rounds(parameters) / 2.0 - parameters.segments; }}};

  static constexpr Algorithm row(const RowOverrides& own) {
    const RowOverrides both{
        .build = build,
        .cost = cost,
        .rounds = "2 (k + D)",
        .transfers = {"2 k (p - 1)",
                      [](const Parameters& told) { return 2 * told.segments * (told.nodes - 1); }},
        .time = "(k + D) (2 t_s + (2 t_w + t_op) m / k)",
        .best_segments = "sqrt(D (2 t_w + t_op) m / (2 t_s))",
        .symbols = symbols,
        .peers = peers,
        .segments = true,
        .carriers = fully_connected,
        .best_for = "long messages, any number of nodes, all pairs linked",
    };
    return derived(vnode::row(both), own);
  }
};

}  // namespace two_tree

namespace registered {

constexpr Algorithm broadcast_two_tree = two_tree::down_row<two_trees>({
    .name = "broadcast_two_tree",
    .source = "Sanders, Speck, Traeff 2009, two-tree algorithms, mirroring",
});
constexpr Algorithm reduce_two_tree =
    reduction_row<broadcast_two_tree, two_tree::through_zero>({.name = "reduce_two_tree"});

constexpr Algorithm broadcast_two_tree_shifted = two_tree::down_row<shifted_two_trees>({
    .name = "broadcast_two_tree_shifted",
    .source = "Sanders, Speck, Traeff 2009, two-tree algorithms, shifting",
});
constexpr Algorithm reduce_two_tree_shifted =
    reduction_row<broadcast_two_tree_shifted, two_tree::through_zero>({.name = "reduce_two_tree_shifted"});

constexpr Algorithm all_reduce_two_tree = two_tree::UpAndDown<two_trees>::row({
    .name = "all_reduce_two_tree",
    .sweep_to = 130,
    .best_for = "long messages, any number of nodes, all pairs linked; keeps order",
    .source = "Sanders, Speck, Traeff 2009, two-tree algorithms",
});
// Two ordinary ranks are the roots, and both begin at once.
constexpr Algorithm all_reduce_double_binary_tree = two_tree::UpAndDown<double_binary_trees>::row({
    .name = "all_reduce_double_binary_tree",
    .keeps_order = KeepsOrder::never,
    .source = "NCCL 2.4, trees; Sanders, Speck, Traeff 2009",
});

}  // namespace registered
}  // namespace vnode
