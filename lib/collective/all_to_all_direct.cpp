// all_to_all_direct: all nodes offer their blocks at once; everybody fetches its own from all others.
//   rounds     min(p - 1, 1)
//   transfers  p (p - 1)
//   time       (t_s + t_w m) min(p - 1, 1)
//   needs      nothing
//   ports      all
//   best for   shared memory: every block is copied once
//   source     single-copy all-to-all of shared-memory libraries
//   picture    p = 4: 1: 1>0[4] 2>0[8] 3>0[12] 2>1[9] 3>1[13] 0>1[1] 3>2[14] 0>2[2] 1>2[6] 0>3[3] 1>3[7]
//              2>3[11]
// The time holds as long as a node reads all others at the speed of one.
#include "collective/formula.hpp"

namespace vnode {

Schedule all_to_all_direct(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p * p);
  if (p == 1) return schedule;
  Round& round = schedule.next_round();
  for (Rank to = 0; to < p; ++to)
    for (int i = 1; i < p; ++i) {
      const Rank from = (to + i) % p;
      round.push_back({from, to, schedule.block(from * p + to)});
    }
  return schedule;
}

namespace registered {

extern constinit const Algorithm all_to_all_direct{
    .name = "all_to_all_direct",
    .collective = Collective::all_to_all,
    .build = vnode::all_to_all_direct,
    .cost = [](const Parameters& parameters) { return from_all_at_once(parameters.nodes); },
    .rounds = one_unless_alone,
    .transfers = one_per_pair,
    .time = "(t_s + t_w m) min(p - 1, 1)",
    .peers = [](const Parameters&, int, Rank from, Rank to) { return from != to; },
    .ports = Ports::all,
    .carriers = fully_connected,
    .best_for = "shared memory: every block is copied once",
    .source = "single-copy all-to-all of shared-memory libraries",
};

}  // namespace registered
}  // namespace vnode
