// broadcast_fibonacci: down a binary tree whose second subtrees are a level lower: all leaves hear at once.
//   rounds     (d + (1 + [p > 3]) (k - 1)) [p > 1]
//   transfers  (p - 1) k
//   time       (d + (1 + [p > 3]) (k - 1)) [p > 1] (t_s + t_w m / k)
//   needs      nothing
//   ports      single
//   best for   messages of middle length, all pairs linked
//   source     Wikipedia, Broadcast (parallel pattern), pipelined Fibonacci tree; any p
//   picture    p = 7: 1: 0>1; 2: 1>2 0>5; 3: 2>3 1>4 5>6
// k = Parameters::segments. N(d) = 1 + N(d - 1) + N(d - 2) nodes: the most that d rounds can reach so.
#include "collective/binary_tree.hpp"
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"

namespace vnode {

namespace {

int rounds(const Parameters& parameters) {
  const int p = parameters.nodes, period = p > 3 ? 2 : 1;
  return p > 1 ? fibonacci_depth(p) + period * (parameters.segments - 1) : 0;
}

constexpr Symbol symbols[] = {
    {"d", "the depth of the tree, with 1, 2, 4, 7, 12 ... nodes at most",
     [](const Parameters& parameters) { return double(fibonacci_depth(parameters.nodes)); }}};

}  // namespace

Schedule broadcast_fibonacci(const Parameters& parameters) {
  return binary_tree(parameters, first_fibonacci).broadcast();
}

namespace registered {

constinit const Algorithm broadcast_fibonacci{
    .name = "broadcast_fibonacci",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_fibonacci,
    .cost =
        [](const Parameters& parameters) {
          return in_parts(whole_messages(rounds(parameters)), parameters.segments);
        },
    .rounds = {"(d + (1 + [p > 3]) (k - 1)) [p > 1]", rounds},
    .transfers = one_per_segment,
    .time = "(d + (1 + [p > 3]) (k - 1)) [p > 1] (t_s + t_w m / k)",
    .symbols = symbols,
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return binary_tree(parameters, first_fibonacci).peers(round, from, to); },
    .segments = true,
    .carriers = fully_connected,
    .best_for = "messages of middle length, all pairs linked",
    .source = "Wikipedia, Broadcast (parallel pattern), pipelined Fibonacci tree; any p",
};

}  // namespace registered
}  // namespace vnode
