// reduce_scatter_pairwise: everybody sends every block straight to its owner, 1, 2, 3 ... ranks on.
//   rounds     p - 1
//   transfers  p (p - 1)
//   time       (t_s + (t_w + t_op) m) (p - 1)
//   needs      nothing
//   ports      single
//   best for   long messages, any number of nodes: no partial result travels
//   source     MPICH, pairwise exchange
//   picture    p = 4: 1: 0+>1[1] 1+>2[2] 2+>3[3] 3>+0[0]; 2: 0+>2[2] 1+>3[3] 2>+0[0] 3>+1[1]; 3: 0+>3[3]
//              1>+0[0] 2>+1[1] 3>+2[2]
#include "collective/formula.hpp"
#include "collective/reduce_scatter.hpp"

namespace vnode {

Schedule reduce_scatter_pairwise(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p);
  for (int distance = 1; distance < p; ++distance) {
    Round& round = schedule.next_round();
    for (Rank rank = 0; rank < p; ++rank) {
      const Rank to = (rank + distance) % p;
      round.push_back(
          {rank, to, schedule.block(to), rank < to ? Effect::combine_before : Effect::combine_after});
    }
  }
  return schedule;
}

namespace registered {

constinit const Algorithm reduce_scatter_pairwise{
    .name = "reduce_scatter_pairwise",
    .collective = Collective::reduce_scatter,
    .build = vnode::reduce_scatter_pairwise,
    .cost = [](const Parameters& parameters) { return combining(whole_messages(parameters.nodes - 1)); },
    .rounds = one_per_other_node,
    .transfers = one_per_pair,
    .time = "(t_s + (t_w + t_op) m) (p - 1)",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return cyclic_distance(from, to, parameters.nodes) == round + 1; },
    .keeps_order = KeepsOrder::never,
    .carriers = hypercube_family,
    .best_for = "long messages, any number of nodes: no partial result travels",
    .source = "MPICH, pairwise exchange",
};

}  // namespace registered
}  // namespace vnode
