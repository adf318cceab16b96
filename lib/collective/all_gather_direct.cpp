// all_gather_direct: all nodes offer their block at once; everybody reads all others.
//   rounds     min(p - 1, 1)
//   transfers  p (p - 1)
//   time       (t_s + t_w m) min(p - 1, 1)
//   needs      nothing
//   ports      all
//   best for   shared memory, short messages: one board that all read
//   source     single-copy all-gather of shared-memory libraries
//   picture    p = 4: 1: 0>1[0] 0>2[0] 0>3[0] 1>0[1] 1>2[1] 1>3[1] 2>0[2] 2>1[2] 2>3[2] 3>0[3] 3>1[3] 3>2[3]
// The time holds as long as a node reads all others at the speed of one.
#include "collective/all_gather.hpp"
#include "collective/formula.hpp"

namespace vnode {

Schedule all_gather_direct(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p);
  if (p == 1) return schedule;
  Round& round = schedule.next_round();
  for (Rank from = 0; from < p; ++from)
    for (Rank to = 0; to < p; ++to)
      if (to != from) round.push_back({from, to, schedule.block(from)});
  return schedule;
}

namespace registered {

constinit const Algorithm all_gather_direct{
    .name = "all_gather_direct",
    .collective = Collective::all_gather,
    .build = vnode::all_gather_direct,
    .cost = [](const Parameters& parameters) { return from_all_at_once(parameters.nodes); },
    .rounds = one_unless_alone,
    .transfers = one_per_pair,
    .time = "(t_s + t_w m) min(p - 1, 1)",
    .peers = [](const Parameters&, int, Rank from, Rank to) { return from != to; },
    .ports = Ports::all,
    .carriers = fully_connected,
    .best_for = "shared memory, short messages: one board that all read",
    .source = "single-copy all-gather of shared-memory libraries",
};

}  // namespace registered
}  // namespace vnode
