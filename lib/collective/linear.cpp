// These algorithms send one message at a time. They are the baseline for all others.
#include "building_blocks/arrival.hpp"
#include "building_blocks/composition.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace linear {

// The root sends to every other node in turn: down from the top, then up from 0. Backwards, as a reduction,
// the ranks heard always touch the root's, and what it has combined is an interval of ranks at any time.
Schedule broadcast(const Parameters& parameters) {
  const auto [p, root] = std::pair(parameters.nodes, parameters.root);
  Schedule schedule(p, 1);
  for (Rank to = p - 1; to > root; --to) schedule.next_round().push_back({root, to, Blocks::whole});
  for (Rank to = 0; to < root; ++to) schedule.next_round().push_back({root, to, Blocks::whole});
  return schedule;
}

bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
  const int above = parameters.nodes - 1 - parameters.root;
  return from == parameters.root && to == (round < above ? parameters.nodes - 1 - round : round - above);
}

}  // namespace linear

namespace registered {

constexpr Algorithm broadcast_linear = message_row<one_per_other_node>({
    .name = "broadcast_linear",
    .build = linear::broadcast,
    .transfers = one_per_other_node,
    .peers = linear::peers,
    .carriers = every_family,
    .best_for = "two nodes, and as the baseline for others",
    .source = "Grama et al. 4.1, the naive way",
});
constexpr Algorithm reduce_linear = reduction_row<broadcast_linear>({
    .name = "reduce_linear",
    .source = "Grama et al. 4.1, the naive way; dual of broadcast_linear",
});
constexpr Algorithm scatter_linear = scatter_row<broadcast_linear>({
    .name = "scatter_linear",
    .time = "(t_s + t_w m) (p - 1)",
    .best_for = "two nodes, and where each block shall move only once",
    .source = "the naive way",
});
constexpr Algorithm gather_linear = reversed_row<scatter_linear>({.name = "gather_linear"});

// Node 0 hears every node in turn, exchanges with the last, then tells the others in turn.
constexpr Algorithm barrier_linear = barrier_row<broadcast_linear, Turn::exchange>({
    .name = "barrier_linear",
    .rounds = "max(2 p - 3, 0)",
    .time = "t_s max(2 p - 3, 0)",
    .source = "reduce_linear and broadcast_linear without data",
});

}  // namespace registered
}  // namespace vnode
