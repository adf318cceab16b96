// Segments go down binary trees, to one child and then to the other.
#include "building_blocks/binary_tree.hpp"

#include "building_blocks/composition.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace binary_trees {

// One segment takes `depth` rounds; the next follows it two rounds later, one round where p <= `path`, and
// nobody has two children.
template <int (*depth)(int), int path>
int rounds(const Parameters& parameters) {
  const int p = parameters.nodes, period = p > path ? 2 : 1;
  return p > 1 ? depth(p) + period * (parameters.segments - 1) : 0;
}
constexpr Count complete_rounds{"(D + (1 + [p > 2]) (k - 1)) [p > 1]", rounds<complete_depth, 2>};
constexpr Count fibonacci_rounds{"(d + (1 + [p > 3]) (k - 1)) [p > 1]", rounds<fibonacci_depth, 3>};

template <const Count& rounds, FirstSubtree first>
constexpr Algorithm down_row(const RowOverrides& own) {
  const RowOverrides tree{
      .build = [](const Parameters& parameters) { return binary_tree(parameters, first).broadcast(); },
      .peers = [](const Parameters& parameters, int round, Rank from,
                  Rank to) { return binary_tree(parameters, first).peers(round, from, to); },
      .carriers = fully_connected,
      .best_for = "messages of middle length, all pairs linked",
  };
  return derived(segment_row<rounds>(tree), own);
}

template <FirstSubtree first>
bool through_zero(const Parameters& parameters) {
  return breaks_order(parameters, first(parameters.nodes));
}

// D = max(2 h - 2, h + floor(log2(p + 1 - 2^h))), h = floor(log2 p): 2 h for full trees.
constexpr Symbol complete_symbols[] = {
    {"D", "the rounds in which one segment reaches everybody",
     [](const Parameters& parameters) { return double(complete_depth(parameters.nodes)); }}};
constexpr Symbol fibonacci_symbols[] = {
    {"d", "the depth of the tree, with 1, 2, 4, 7, 12 ... nodes at most",
     [](const Parameters& parameters) { return double(fibonacci_depth(parameters.nodes)); }}};

}  // namespace binary_trees

namespace registered {

constexpr Algorithm broadcast_binary_tree =
    binary_trees::down_row<binary_trees::complete_rounds, first_complete>({
        .name = "broadcast_binary_tree",
        .best_segments = "sqrt((D - (1 + [p > 2])) t_w m / ((1 + [p > 2]) t_s))",
        .symbols = binary_trees::complete_symbols,
        .source = "Wikipedia, Broadcast (parallel pattern), pipelined binary tree",
    });
constexpr Algorithm reduce_binary_tree =
    reduction_row<broadcast_binary_tree, binary_trees::through_zero<first_complete>>(
        {.name = "reduce_binary_tree"});

// A second subtree is a level lower than the first, so that all leaves hear at once. N(d) = 1 + N(d - 1) +
// N(d - 2) nodes are the most that d rounds can reach so.
constexpr Algorithm broadcast_fibonacci =
    binary_trees::down_row<binary_trees::fibonacci_rounds, first_fibonacci>({
        .name = "broadcast_fibonacci",
        .best_segments = "sqrt((d - (1 + [p > 3])) t_w m / ((1 + [p > 3]) t_s))",
        .symbols = binary_trees::fibonacci_symbols,
        .source = "Wikipedia, Broadcast (parallel pattern), pipelined Fibonacci tree; any p",
    });
constexpr Algorithm reduce_fibonacci =
    reduction_row<broadcast_fibonacci, binary_trees::through_zero<first_fibonacci>>(
        {.name = "reduce_fibonacci"});

}  // namespace registered
}  // namespace vnode
