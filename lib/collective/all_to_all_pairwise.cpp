// all_to_all_pairwise: in round i everybody sends its block i ranks further, directly.
//   rounds     p - 1
//   transfers  p (p - 1)
//   time       (t_s + t_w m) (p - 1)
//   needs      nothing
//   ports      single
//   best for   long messages, any number of nodes
//   source     pairwise exchange of MPI libraries: a circular shift per round
//   picture    p = 4: 1: 0>1[1] 1>2[6] 2>3[11] 3>0[12]; 2: 0>2[2] 1>3[7] 2>0[8] 3>1[13]; 3: 0>3[3] 1>0[4]
//              2>1[9] 3>2[14]
#include "collective/formula.hpp"

namespace vnode {

Schedule all_to_all_pairwise(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p * p);
  for (int i = 1; i < p; ++i) {
    Round& round = schedule.next_round();
    for (Rank rank = 0; rank < p; ++rank) {
      const Rank to = (rank + i) % p;
      round.push_back({rank, to, schedule.block(rank * p + to)});
    }
  }
  return schedule;
}

namespace registered {

extern constinit const Algorithm all_to_all_pairwise{
    .name = "all_to_all_pairwise",
    .collective = Collective::all_to_all,
    .build = vnode::all_to_all_pairwise,
    .cost = [](const Parameters& parameters) { return whole_messages(parameters.nodes - 1); },
    .rounds = one_per_other_node,
    .transfers = one_per_pair,
    .time = "(t_s + t_w m) (p - 1)",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return cyclic_distance(from, to, parameters.nodes) == round + 1; },
    .carriers = hypercube_family,
    .best_for = "long messages, any number of nodes",
    .source = "pairwise exchange of MPI libraries: a circular shift per round",
};

}  // namespace registered
}  // namespace vnode
