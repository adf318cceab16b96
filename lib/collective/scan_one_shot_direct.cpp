// scan_one_shot_direct: all offer their message at once; every rank combines those below it and its own.
//   rounds     min(p - 1, 1)
//   transfers  p (p - 1) / 2
//   time       (t_s + t_w m) min(p - 1, 1) + t_op m (p - 1)
//   needs      nothing
//   ports      all
//   best for   shared memory, shortest messages; deterministic prefix sums of any number of nodes
//   source     ours: one-shot all-reduce, without the ranks above
//   picture    p = 4: 1: 0+>1 0+>2 1+>2 0+>3 1+>3 2+>3
// The time holds as long as a node reads all others at the speed of one.
#include "collective/formula.hpp"
#include "collective/scan.hpp"

namespace vnode {

Schedule scan_one_shot_direct(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, 1);
  if (p == 1) return schedule;
  Round& round = schedule.next_round();
  for (Rank to = 1; to < p; ++to)
    for (Rank from = 0; from < to; ++from) round.push_back({from, to, whole, Effect::combine_before});
  return schedule;
}

namespace registered {

constinit const Algorithm scan_one_shot_direct{
    .name = "scan_one_shot_direct",
    .collective = Collective::scan,
    .build = vnode::scan_one_shot_direct,
    .cost = [](const Parameters& parameters) { return combining(from_all_at_once(parameters.nodes)); },
    .rounds = one_unless_alone,
    .transfers = {"p (p - 1) / 2",
                  [](const Parameters& parameters) { return parameters.nodes * (parameters.nodes - 1) / 2; }},
    .time = "(t_s + t_w m) min(p - 1, 1) + t_op m (p - 1)",
    .peers = [](const Parameters&, int, Rank from, Rank to) { return from < to; },
    .ports = Ports::all,
    .carriers = fully_connected,
    .best_for = "shared memory, shortest messages; deterministic prefix sums of any number of nodes",
    .source = "ours: one-shot all-reduce, without the ranks above",
};

}  // namespace registered
}  // namespace vnode
