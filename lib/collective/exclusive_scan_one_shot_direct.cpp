// exclusive_scan_one_shot_direct: scan_one_shot_direct without the own contribution.
//   rounds     min(p - 1, 1)
//   transfers  p (p - 1) / 2
//   time       (t_s + t_w m) min(p - 1, 1) + t_op m (p - 1) [p > 2]
//   needs      nothing
//   ports      all
//   best for   shared memory, shortest messages; deterministic prefix sums of any number of nodes
//   source     ours: one-shot all-reduce, without the ranks above
//   picture    p = 4: 1: 0>1[1:0] 0+>2[1:0] 1+>2[1:0] 0+>3[1:0] 1+>3[1:0] 2+>3[1:0]
// Block 0 is the result, block 1 the own contribution.
// The time holds as long as a node reads all others at the speed of one.
#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/scan.hpp"

namespace vnode {

Schedule exclusive_scan_one_shot_direct(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, 2);
  if (p == 1) return schedule;
  const Blocks result = schedule.block(0), own = schedule.block(1);
  Round& round = schedule.next_round();
  for (Rank to = 1; to < p; ++to)
    for (Rank from = 0; from < to; ++from)
      round.push_back({from, to, own, result, to == 1 ? Effect::replace : Effect::combine_before});
  return schedule;
}

namespace registered {

extern constinit const Algorithm exclusive_scan_one_shot_direct{
    .name = "exclusive_scan_one_shot_direct",
    .collective = Collective::exclusive_scan,
    .build = vnode::exclusive_scan_one_shot_direct,
    .cost =
        [](const Parameters& parameters) {
          Cost cost = from_all_at_once(parameters.nodes);
          cost.combined = parameters.nodes > 2 ? cost.received : 0;
          return cost;
        },
    .rounds = one_unless_alone,
    .transfers = {"p (p - 1) / 2", Along<scan_one_shot_direct>::transfers},
    .time = "(t_s + t_w m) min(p - 1, 1) + t_op m (p - 1) [p > 2]",
    .peers = Along<scan_one_shot_direct>::peers,
    .ports = Ports::all,
    .carriers = fully_connected,
    .best_for = "shared memory, shortest messages; deterministic prefix sums of any number of nodes",
    .source = "ours: one-shot all-reduce, without the ranks above",
};

}  // namespace registered
}  // namespace vnode
