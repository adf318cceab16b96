#include "building_blocks/binary_tree.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace vnode {

namespace {

int floor_log2(int n) { return static_cast<int>(std::bit_width(static_cast<unsigned>(n))) - 1; }

// Describes the Fibonacci tree with at least n nodes: its depth, its own nodes and those of the next smaller
// one.
struct Fibonacci {
  int depth = 0, nodes = 1, smaller = 0;
  explicit Fibonacci(int n) {
    for (; nodes < n; ++depth) smaller = std::exchange(nodes, 1 + nodes + smaller);
  }
};

}  // namespace

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

int first_complete(int n) {
  if (n == 1) return 0;
  const int last_level = 1 << floor_log2(n);
  return last_level / 2 - 1 + std::min(n + 1 - last_level, last_level / 2);
}

// Each second child costs a round more. The greatest number of them is on the way to a node of the last level
// or, where that has just begun, of the one above.
int complete_depth(int n) {
  const int height = floor_log2(n), on_last_level = n + 1 - (1 << height);
  return std::max(2 * height - 2, height + floor_log2(on_last_level));
}

int first_fibonacci(int n) { return Fibonacci(n).smaller; }

int fibonacci_depth(int n) { return Fibonacci(n).depth; }

}  // namespace vnode
