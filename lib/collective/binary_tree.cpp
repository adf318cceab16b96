// Segments go down binary trees, to one child and then to the other.
#include <algorithm>
#include <bit>
#include <utility>

#include "building_blocks/composition.hpp"
#include "building_blocks/pipelined_trees.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace binary_trees {

// Returns how many of n nodes of a binary tree are below the child to which its root sends first; the other
// child has the rest. 0 for n = 1.
using FirstSubtree = int (*)(int n);

// Returns a broadcast down a binary tree over ranks relative to the root, in preorder: each node sends a
// segment to its first child, then to its second, and then the next segment may come. A node's first child
// is the next rank. With keep_order its second child is: then in the dual, where the second is heard before
// the first, they are heard in rank order. Cost: O(p).
PipelinedTrees binary_tree(const Parameters& parameters, FirstSubtree first) {
  struct Subtree {
    Rank root, parent;
    int nodes, delay;
  };
  const int p = parameters.nodes;
  TimedTree tree{Parents(static_cast<std::size_t>(p)), std::vector<int>(static_cast<std::size_t>(p))};
  int period = 1;
  for (std::vector<Subtree> open{{0, nobody, p, -1}}; !open.empty();) {
    const Subtree at = open.back();
    open.pop_back();
    tree.parents[static_cast<std::size_t>(at.root)] = at.parent;
    tree.delays[static_cast<std::size_t>(at.root)] = at.delay;
    const int one = first(at.nodes), other = at.nodes - 1 - one;
    const int before_one = parameters.keep_order ? other : 0, before_other = parameters.keep_order ? 0 : one;
    if (one > 0) open.push_back({at.root + 1 + before_one, at.root, one, at.delay + 1});
    if (other > 0) open.push_back({at.root + 1 + before_other, at.root, other, at.delay + 2});
    if (other > 0) period = 2;
  }
  return PipelinedTrees({std::move(tree)}, parameters.segments, period).rotated(parameters.root);
}

int floor_log2(int n) { return static_cast<int>(std::bit_width(static_cast<unsigned>(n))) - 1; }

// Describes the Fibonacci tree with at least n nodes: its depth, its own nodes and those of the next smaller
// one.
struct Fibonacci {
  int depth = 0, nodes = 1, smaller = 0;
  explicit Fibonacci(int n) {
    for (; nodes < n; ++depth) smaller = std::exchange(nodes, 1 + nodes + smaller);
  }
};

// Is the FirstSubtree of the complete tree: all levels are full but the last, which is filled from its
// beginning.
int first_complete(int n) {
  if (n == 1) return 0;
  const int last_level = 1 << floor_log2(n);
  return last_level / 2 - 1 + std::min(n + 1 - last_level, last_level / 2);
}

// Returns in how many rounds that tree brings everybody one segment.
// Each second child costs a round more. The greatest number of them is on the way to a node of the last level
// or, where that has just begun, of the one above.
int complete_depth(int n) {
  const int height = floor_log2(n), on_last_level = n + 1 - (1 << height);
  return std::max(2 * height - 2, height + floor_log2(on_last_level));
}

// Is the FirstSubtree of the tree with the most nodes for its depth d, N(d) = 1 + N(d - 1) + N(d - 2), cut
// down to n nodes at its end.
int first_fibonacci(int n) { return Fibonacci(n).smaller; }

// Returns d, the number of rounds in which that tree brings everybody one segment.
int fibonacci_depth(int n) { return Fibonacci(n).depth; }

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
    binary_trees::down_row<binary_trees::complete_rounds, binary_trees::first_complete>({
        .name = "broadcast_binary_tree",
        .best_segments = "sqrt((D - (1 + [p > 2])) t_w m / ((1 + [p > 2]) t_s))",
        .symbols = binary_trees::complete_symbols,
        .source = "Wikipedia, Broadcast (parallel pattern), pipelined binary tree",
    });
constexpr Algorithm reduce_binary_tree =
    reduction_row<broadcast_binary_tree, binary_trees::through_zero<binary_trees::first_complete>>(
        {.name = "reduce_binary_tree"});

// A second subtree is a level lower than the first, so that all leaves hear at once. N(d) = 1 + N(d - 1) +
// N(d - 2) nodes are the most that d rounds can reach so.
constexpr Algorithm broadcast_fibonacci =
    binary_trees::down_row<binary_trees::fibonacci_rounds, binary_trees::first_fibonacci>({
        .name = "broadcast_fibonacci",
        .best_segments = "sqrt((d - (1 + [p > 3])) t_w m / ((1 + [p > 3]) t_s))",
        .symbols = binary_trees::fibonacci_symbols,
        .source = "Wikipedia, Broadcast (parallel pattern), pipelined Fibonacci tree; any p",
    });
constexpr Algorithm reduce_fibonacci =
    reduction_row<broadcast_fibonacci, binary_trees::through_zero<binary_trees::first_fibonacci>>(
        {.name = "reduce_fibonacci"});

}  // namespace registered
}  // namespace vnode
