// all_to_all_e_cube: in round i everybody exchanges its block with rank XOR i, directly.
//   rounds     p - 1
//   transfers  p (p - 1)
//   time       (t_s + t_w m) (p - 1)
//   needs      power_of_two
//   ports      single
//   best for   long messages on hypercubes
//   source     Grama et al., algorithm 4.10
//   picture    p = 4: 1: 0>1[1] 1>0[4] 2>3[11] 3>2[14]; 2: 0>2[2] 1>3[7] 2>0[8] 3>1[13]; 3: 0>3[3] 1>2[6]
//              2>1[9] 3>0[12]
#include "collective/formula.hpp"

namespace vnode {

Schedule all_to_all_e_cube(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p * p);
  for (int i = 1; i < p; ++i) {
    Round& round = schedule.next_round();
    for (Rank rank = 0; rank < p; ++rank) {
      const Rank partner = rank ^ i;
      round.push_back({rank, partner, schedule.block(rank * p + partner)});
    }
  }
  return schedule;
}

namespace registered {

extern constinit const Algorithm all_to_all_e_cube{
    .name = "all_to_all_e_cube",
    .collective = Collective::all_to_all,
    .build = vnode::all_to_all_e_cube,
    .cost = [](const Parameters& parameters) { return whole_messages(parameters.nodes - 1); },
    .rounds = one_per_other_node,
    .transfers = one_per_pair,
    .time = "(t_s + t_w m) (p - 1)",
    .peers = [](const Parameters&, int round, Rank from, Rank to) { return (from ^ to) == round + 1; },
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "long messages on hypercubes",
    .source = "Grama et al., algorithm 4.10",
};

}  // namespace registered
}  // namespace vnode
