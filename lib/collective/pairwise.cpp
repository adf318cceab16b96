// Every block goes straight to its destination, 1, 2, 3 ... ranks further: a circular shift per round.
#include "building_blocks/alike.hpp"
#include "building_blocks/composition.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace pairwise {

Schedule reduce_scatter(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p);
  for (int distance = 1; distance < p; ++distance) {
    Round& round = schedule.next_round();
    each_node(parameters, (parameters.only.value_or(0) + p - distance) % p, [&](Rank rank) {
      const Rank to = (rank + distance) % p;
      round.push_back(
          {rank, to, schedule.block(to), rank < to ? Effect::combine_before : Effect::combine_after});
    });
  }
  return schedule;
}

Schedule all_to_all(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p * p);
  for (int distance = 1; distance < p; ++distance) {
    Round& round = schedule.next_round();
    each_node(parameters, (parameters.only.value_or(0) + p - distance) % p, [&](Rank rank) {
      const Rank to = (rank + distance) % p;
      round.push_back({rank, to, schedule.block(rank * p + to)});
    });
  }
  return schedule;
}

}  // namespace pairwise

namespace registered {

constexpr Algorithm all_to_all_pairwise = message_row<one_per_other_node>({
    .name = "all_to_all_pairwise",
    .build = pairwise::all_to_all,
    .transfers = one_per_pair,
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return cyclic_distance(from, to, parameters.nodes) == round + 1; },
    .alike = always,
    .carriers = hypercube_family,
    .best_for = "long messages, any number of nodes",
    .source = "pairwise exchange of MPI libraries: a circular shift per round",
});
constexpr Algorithm reduce_scatter_pairwise = row_like<all_to_all_pairwise>({
    .name = "reduce_scatter_pairwise",
    .build = pairwise::reduce_scatter,
    .cost = [](const Parameters& told) { return combining(whole_messages(told.nodes - 1)); },
    .time = "(t_s + (t_w + t_op) m) (p - 1)",
    .alike = always,
    .keeps_order = KeepsOrder::never,
    .best_for = "long messages, any number of nodes: no partial result travels",
    .source = "MPICH, pairwise exchange",
});
constexpr Algorithm all_reduce_pairwise = splitting_row<reduce_scatter_pairwise, all_gather_ring>({
    .name = "all_reduce_pairwise",
    .rounds = "2 (p - 1)",
    .transfers = "2 p (p - 1)",
    .time = "(p - 1) (2 t_s + (2 t_w + t_op) m / p)",
    .keeps_order = KeepsOrder::never,
    .carriers = hypercube_family,
    .best_for = "long messages, any number of nodes: no partial result travels",
    .source = "reduce_scatter_pairwise, then all_gather_ring",
});

}  // namespace registered
}  // namespace vnode
