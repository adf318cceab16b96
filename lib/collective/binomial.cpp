// Binomial trees are over ranks relative to the root, for any p; distances halve.
#include "building_blocks/arrival.hpp"
#include "building_blocks/composition.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace binomial {

// All messages of a round run the same way in disjoint intervals of the ring, and at most one wraps.
Schedule broadcast(const Parameters& parameters) {
  const int p = parameters.nodes;
  const auto rank = [&](int relative) { return (relative + parameters.root) % p; };
  Schedule schedule(p, 1);
  for (int distance = top_distance(p); distance >= 1; distance /= 2) {
    Round& round = schedule.next_round();
    for (int holder = 0; holder + distance < p; holder += 2 * distance)
      round.push_back({rank(holder), rank(holder + distance), Blocks::whole});
  }
  return schedule;
}

bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
  return cyclic_distance(from, to, parameters.nodes) == top_distance(parameters.nodes) >> round;
}

bool through_zero(const Parameters& parameters) {
  return breaks_order(parameters, parameters.nodes - top_distance(parameters.nodes));
}

}  // namespace binomial

namespace registered {

constexpr Algorithm broadcast_binomial = message_row<one_per_doubling>({
    .name = "broadcast_binomial",
    .build = binomial::broadcast,
    .transfers = one_per_other_node,
    .peers = binomial::peers,
    .carriers = every_family_but_torus,
    .best_for = "short messages, any number of nodes",
    .source = "Wikipedia, Broadcast (parallel pattern), binomial tree; rotated to any root",
});
constexpr Algorithm reduce_binomial =
    reduction_row<broadcast_binomial, binomial::through_zero>({.name = "reduce_binomial"});

// The node at distance d of a holder gets the blocks of the next d ranks, as far as there are any.
constexpr Algorithm scatter_binomial = scatter_row<broadcast_binomial>({
    .name = "scatter_binomial",
    .source = "Grama et al. 4.4 along broadcast_binomial",
});
constexpr Algorithm gather_binomial = reversed_row<scatter_binomial>({.name = "gather_binomial"});

constexpr Algorithm all_reduce_binomial = rootless_row<reduce_binomial, broadcast_binomial>({
    .name = "all_reduce_binomial",
    .rounds = "2 ceil(log2 p)",
    .transfers = "2 (p - 1)",
    .time = "(2 t_s + (2 t_w + t_op) m) ceil(log2 p)",
    .carriers = every_family_but_torus,
    .best_for = "few messages; lines, rings and meshes",
    .source = "reduce_binomial, then broadcast_binomial",
});

// Arrivals climb the tree, its two topmost nodes exchange, the release comes down again.
constexpr Algorithm barrier_tree = barrier_row<broadcast_binomial, Turn::exchange>({
    .name = "barrier_tree",
    .rounds = "max(2 ceil(log2 p) - 1, 0)",
    .time = "t_s max(2 ceil(log2 p) - 1, 0)",
    .best_for = "many more nodes than cores: the fewest messages",
    .source = "reduce_binomial and broadcast_binomial without data",
});

}  // namespace registered
}  // namespace vnode
