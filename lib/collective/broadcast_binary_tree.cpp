// broadcast_binary_tree: down the complete binary tree, to one child and then to the other.
//   rounds     (D + (1 + [p > 2]) (k - 1)) [p > 1]
//   transfers  (p - 1) k
//   time       (D + (1 + [p > 2]) (k - 1)) [p > 1] (t_s + t_w m / k)
//   needs      nothing
//   ports      single
//   best for   messages of middle length, all pairs linked
//   source     Wikipedia, Broadcast (parallel pattern), pipelined binary tree
//   picture    p = 7: 1: 0>1; 2: 1>2 0>4; 3: 1>3 4>5; 4: 4>6
// D = max(2 h - 2, h + floor(log2(p + 1 - 2^h))), h = floor(log2 p): 2 h for full trees. k =
// Parameters::segments.
#include "collective/binary_tree.hpp"
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"

namespace vnode {

namespace {

int rounds(const Parameters& parameters) {
  const int p = parameters.nodes, period = p > 2 ? 2 : 1;
  return p > 1 ? complete_depth(p) + period * (parameters.segments - 1) : 0;
}

constexpr Symbol symbols[] = {
    {"D", "the rounds in which one segment reaches everybody",
     [](const Parameters& parameters) { return double(complete_depth(parameters.nodes)); }}};

}  // namespace

Schedule broadcast_binary_tree(const Parameters& parameters) {
  return binary_tree(parameters, first_complete).broadcast();
}

namespace registered {

constinit const Algorithm broadcast_binary_tree{
    .name = "broadcast_binary_tree",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_binary_tree,
    .cost =
        [](const Parameters& parameters) {
          return in_parts(whole_messages(rounds(parameters)), parameters.segments);
        },
    .rounds = {"(D + (1 + [p > 2]) (k - 1)) [p > 1]", rounds},
    .transfers = one_per_segment,
    .time = "(D + (1 + [p > 2]) (k - 1)) [p > 1] (t_s + t_w m / k)",
    .symbols = symbols,
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return binary_tree(parameters, first_complete).peers(round, from, to); },
    .segments = true,
    .carriers = fully_connected,
    .best_for = "messages of middle length, all pairs linked",
    .source = "Wikipedia, Broadcast (parallel pattern), pipelined binary tree",
};

}  // namespace registered
}  // namespace vnode
