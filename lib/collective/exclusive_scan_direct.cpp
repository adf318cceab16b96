// exclusive_scan_direct: scan_direct without the own contribution.
//   rounds     min(p - 1, 2)
//   transfers  (f g (g - 1) + g f (f - 1) + e (e - 1)) / 2 + e f, where g = ceil(sqrt(p)), f = floor(p / g),
//              e = p - f g
//   time       (t_s + t_w m) min(p - 1, 2) + t_op m ((g - 1) ([g > 2] + [p > g]) + floor((p - 1) / g) [p > g
//              + 1]), where g = ceil(sqrt(p))
//   needs      nothing
//   ports      all
//   best for   shared memory
//   source     the scan of shared-memory libraries, in blocks of ranks
//   picture    p = 6: 1: 0>1[1:0] 0+>2[1:0] 0+>2[1] 1+>2[1:0] 1+>2[1] 3>4[1:0] 3+>5[1:0] 4+>5[1:0]; 2:
//              2>3[1:0] 2+>4[1:0] 2+>5[1:0]
// Block 0 is the result. Block 1 is the own contribution, and becomes the total of the group on its last
// rank, unless it is the last group. g = ceil(sqrt p).
// The time holds as long as a node reads some sqrt(p) others at the speed of one.
#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/scan.hpp"

namespace vnode {

Schedule exclusive_scan_direct(const Parameters& parameters) {
  const int p = parameters.nodes, g = group_size(p);
  Schedule schedule(p, 2);
  const Blocks result = schedule.block(0), total = schedule.block(1);
  if (p > 1) schedule.next_round();
  for (Rank to = 0; to < p; ++to)
    for (Rank from = to - to % g; from < to; ++from) {
      const Effect effect = to % g == 1 ? Effect::replace : Effect::combine_before;
      schedule.round(0).push_back({from, to, total, result, effect});
      if (to % g == g - 1 && to < p - 1)
        schedule.round(0).push_back({from, to, total, Effect::combine_before});
    }
  if (p > g) schedule.next_round();
  for (Rank to = g; to < p; ++to)
    for (Rank last = g - 1; last < to - to % g; last += g)
      schedule.round(1).push_back(
          {last, to, total, result, to == g ? Effect::replace : Effect::combine_before});
  return schedule;
}

namespace registered {

extern constinit const Algorithm exclusive_scan_direct{
    .name = "exclusive_scan_direct",
    .collective = Collective::exclusive_scan,
    .build = vnode::exclusive_scan_direct,
    .cost =
        [](const Parameters& parameters) {
          const int p = parameters.nodes, g = group_size(p), groups_below = (p - 1) / g;
          const int results = g > 2 ? g - 1 : 0, totals = groups_below > 0 ? g - 1 : 0;
          Cost cost = scan_direct.cost(parameters);
          cost.combined = results + totals + (p - 1 > g ? groups_below : 0);
          return cost;
        },
    .rounds = {"min(p - 1, 2)", Along<scan_direct>::rounds},
    .transfers = {"(f g (g - 1) + g f (f - 1) + e (e - 1)) / 2 + e f, where g = ceil(sqrt(p)), f = floor(p / "
                  "g), e = p - f g",
                  Along<scan_direct>::transfers},
    .time =
        "(t_s + t_w m) min(p - 1, 2) + t_op m ((g - 1) ([g > 2] + [p > g]) + floor((p - 1) / g) [p > g + "
        "1]), where g = ceil(sqrt(p))",
    .peers = Along<scan_direct>::peers,
    .ports = Ports::all,
    .carriers = fully_connected,
    .best_for = "shared memory",
    .source = "the scan of shared-memory libraries, in blocks of ranks",
};

}  // namespace registered
}  // namespace vnode
