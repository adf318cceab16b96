// all_reduce_one_shot_direct: all offer their message at once; everybody combines all in rank order.
//   rounds     min(p - 1, 1)
//   transfers  p (p - 1)
//   time       (t_s + t_w m) min(p - 1, 1) + t_op m (p - 1)
//   needs      nothing
//   ports      all
//   best for   shared memory, shortest messages: one board that all read
//   source     one-shot all-reduce of shared-memory and GPU libraries
//   picture    p = 4: 1: 0+>1 0+>2 0+>3 1>+0 1+>2 1+>3 2>+0 2>+1 2+>3 3>+0 3>+1 3>+2
// The time holds as long as a node reads all others at the speed of one.
#include "collective/all_reduce.hpp"
#include "collective/formula.hpp"

namespace vnode {

Schedule all_reduce_one_shot_direct(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, 1);
  if (p == 1) return schedule;
  Round& round = schedule.next_round();
  for (Rank from = 0; from < p; ++from)
    for (Rank to = 0; to < p; ++to)
      if (to != from)
        round.push_back({from, to, whole, from < to ? Effect::combine_before : Effect::combine_after});
  return schedule;
}

namespace registered {

constinit const Algorithm all_reduce_one_shot_direct{
    .name = "all_reduce_one_shot_direct",
    .collective = Collective::all_reduce,
    .build = vnode::all_reduce_one_shot_direct,
    .cost = [](const Parameters& parameters) { return combining(from_all_at_once(parameters.nodes)); },
    .rounds = one_unless_alone,
    .transfers = one_per_pair,
    .time = "(t_s + t_w m) min(p - 1, 1) + t_op m (p - 1)",
    .peers = [](const Parameters&, int, Rank from, Rank to) { return from != to; },
    .ports = Ports::all,
    .carriers = fully_connected,
    .best_for = "shared memory, shortest messages: one board that all read",
    .source = "one-shot all-reduce of shared-memory and GPU libraries",
};

}  // namespace registered
}  // namespace vnode
