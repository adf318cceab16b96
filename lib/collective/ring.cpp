// Neighbours on a ring, for any number of nodes.
#include <vector>

#include "building_blocks/alike.hpp"
#include "building_blocks/composition.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace ring {

// Everybody sends right what came last, its own block first.
Schedule all_gather(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p);
  for (int t = 0; t < p - 1; ++t) {
    Round& round = schedule.next_round();
    const Rank left = (parameters.only.value_or(0) + p - 1) % p;
    each_node(parameters, left, [&](Rank rank) {
      round.push_back({rank, (rank + 1) % p, schedule.block((rank - t + p) % p)});
    });
  }
  return schedule;
}

// Its dual: what arrives is of the ranks from the next one on, t of them not yet; rank 0 is among them if
// they go round.
Schedule reduce_scatter(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p);
  for (int t = p - 2; t >= 0; --t) {
    Round& round = schedule.next_round();
    const Rank left = (parameters.only.value_or(0) + p - 1) % p;
    each_node(parameters, left, [&](Rank rank) {
      round.push_back({(rank + 1) % p, rank, schedule.block((rank - t + p) % p),
                       rank > t ? Effect::combine_before : Effect::combine_after});
    });
  }
  return schedule;
}

// The pairs are in even rounds 0-1, 2-3 ..., in odd ones 1-2, 3-4 ..., p-1 - 0.
Rank partner(Rank rank, int round, int p) { return (rank + ((rank + round) % 2 == 0 ? 1 : p - 1)) % p; }

// Everybody exchanges with both neighbours in turn: after the own block, the two that came last.
Schedule neighbour_exchange(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p);
  std::vector<int> last(static_cast<std::size_t>(p));  // the first of the two blocks that came last
  for (Rank rank = 0; rank < p; ++rank) last[static_cast<std::size_t>(rank)] = rank - rank % 2;
  for (int t = 0; t < p / 2; ++t) {
    Round& round = schedule.next_round();
    std::vector<int> arrived = last;
    for (Rank rank = 0; rank < p; ++rank) {
      const int pair = last[static_cast<std::size_t>(rank)];
      const Rank to = partner(rank, t, p);
      round.push_back({rank, to, t == 0 ? schedule.block(rank) : schedule.interval(pair, pair + 2)});
      if (t > 0) arrived[static_cast<std::size_t>(to)] = pair;
    }
    last = std::move(arrived);
  }
  return schedule;
}

constexpr Count one_per_two_nodes{"floor(p / 2)",
                                  [](const Parameters& parameters) { return parameters.nodes / 2; }};
constexpr Carrier ring_carriers[] = {{"ring", ""}, {"torus", ""}, {"hypercube", ""}, {"full", ""}};

}  // namespace ring

namespace registered {

constexpr Algorithm all_gather_ring = message_row<one_per_other_node>({
    .name = "all_gather_ring",
    .build = ring::all_gather,
    .transfers = one_per_pair,
    .peers = [](const Parameters& parameters, int, Rank from,
                Rank to) { return cyclic_distance(from, to, parameters.nodes) == 1; },
    .alike = always,
    .carriers = every_family,
    .best_for = "long messages, any number of nodes, every topology",
    .source = "Grama et al., algorithm 4.4",
});
constexpr Algorithm reduce_scatter_ring = dual_row<all_gather_ring>({
    .name = "reduce_scatter_ring",
    .build = ring::reduce_scatter,
    .alike = always,
    .keeps_order = KeepsOrder::never,
    .source = "Grama et al., algorithm 4.5; dual of all_gather_ring",
});
constexpr Algorithm all_reduce_ring = splitting_row<reduce_scatter_ring, all_gather_ring>({
    .name = "all_reduce_ring",
    .rounds = "2 (p - 1)",
    .transfers = "2 p (p - 1)",
    .time = "(p - 1) (2 t_s + (2 t_w + t_op) m / p)",
    .keeps_order = KeepsOrder::never,
    .carriers = every_family,
    .best_for = "long messages, any number of nodes, every topology",
    .source = "reduce_scatter_ring, then all_gather_ring",
});

constexpr Algorithm all_gather_neighbour_exchange = block_row<ring::one_per_two_nodes>({
    .name = "all_gather_neighbour_exchange",
    .build = ring::neighbour_exchange,
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return to == ring::partner(from, round, parameters.nodes); },
    .needs = even_nodes,
    .carriers = ring::ring_carriers,
    .best_for = "medium messages on rings",
    .source = "Chen et al. 2005, Performance evaluation of allgather algorithms",
});
constexpr Algorithm reduce_scatter_neighbour_exchange = dual_row<all_gather_neighbour_exchange>({
    .name = "reduce_scatter_neighbour_exchange",
    .keeps_order = KeepsOrder::never,
});

}  // namespace registered
}  // namespace vnode
