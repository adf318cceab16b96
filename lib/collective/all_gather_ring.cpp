// all_gather_ring: everybody sends right what came last, its own block first.
//   rounds     p - 1
//   transfers  p (p - 1)
//   time       (t_s + t_w m) (p - 1)
//   needs      nothing
//   ports      single
//   best for   long messages, any number of nodes, every topology
//   source     Grama et al., algorithm 4.4
//   picture    p = 4: 1: 0>1[0] 1>2[1] 2>3[2] 3>0[3]; 2: 0>1[3] 1>2[0] 2>3[1] 3>0[2]; 3: 0>1[2] 1>2[3] 2>3[0]
//              3>0[1]
#include "collective/all_gather.hpp"
#include "collective/formula.hpp"

namespace vnode {

Schedule all_gather_ring(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p);
  for (int t = 0; t < p - 1; ++t) {
    Round& round = schedule.next_round();
    for (Rank rank = 0; rank < p; ++rank)
      round.push_back({rank, (rank + 1) % p, schedule.block((rank - t + p) % p)});
  }
  return schedule;
}

namespace registered {

constinit const Algorithm all_gather_ring{
    .name = "all_gather_ring",
    .collective = Collective::all_gather,
    .build = vnode::all_gather_ring,
    .cost = [](const Parameters& parameters) { return whole_messages(parameters.nodes - 1); },
    .rounds = one_per_other_node,
    .transfers = one_per_pair,
    .time = "(t_s + t_w m) (p - 1)",
    .peers = [](const Parameters& parameters, int, Rank from,
                Rank to) { return cyclic_distance(from, to, parameters.nodes) == 1; },
    .carriers = every_family,
    .best_for = "long messages, any number of nodes, every topology",
    .source = "Grama et al., algorithm 4.4",
};

}  // namespace registered
}  // namespace vnode
