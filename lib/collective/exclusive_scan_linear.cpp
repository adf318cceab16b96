// exclusive_scan_linear: scan_linear without the own contribution.
//   rounds     (p - 2 + k) [p > 1]
//   transfers  (p - 1) k
//   time       (p - 2 + k) (t_s + t_w m / k) [p > 1] + [p > 2] (p - 3 + k) t_op m / k
//   needs      nothing
//   ports      single
//   best for   long messages, in many segments; arrays
//   source     the pipeline of Wikipedia, Broadcast (parallel pattern), with an operator
//   picture    p = 4, segments 2: 1: 0>1[2:0] 0+>1[2]; 2: 0>1[3:1] 0+>1[3] 1>2[2:0] 1+>2[2]; 3: 1>2[3:1]
//              1+>2[3] 2>3[2:0]; 4: 2>3[3:1]
// Blocks 0 to k - 1 are the result, which is what comes from below; blocks k to 2k - 1 are the own
// contribution, to which it is added before it goes on. k = Parameters::segments.
#include <algorithm>

#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/scan.hpp"

namespace vnode {

Schedule exclusive_scan_linear(const Parameters& parameters) {
  const auto [p, k] = std::pair(parameters.nodes, parameters.segments);
  Schedule schedule(p, 2 * k);
  for (int t = 0; t < pipeline_rounds(p, k); ++t) {
    Round& round = schedule.next_round();
    for (Rank from = std::max(0, t - k + 1); from <= std::min(t, p - 2); ++from) {
      const Blocks result = schedule.block(t - from), total = schedule.block(k + t - from);
      round.push_back({from, from + 1, total, result, Effect::replace});
      if (from < p - 2) round.push_back({from, from + 1, total, Effect::combine_before});
    }
  }
  return schedule;
}

namespace registered {

extern constinit const Algorithm exclusive_scan_linear{
    .name = "exclusive_scan_linear",
    .collective = Collective::exclusive_scan,
    .build = vnode::exclusive_scan_linear,
    .cost =
        [](const Parameters& parameters) {
          Cost cost = scan_linear.cost(parameters);
          cost.combined =
              double(pipeline_rounds(parameters.nodes - 1, parameters.segments)) / parameters.segments;
          return cost;
        },
    .rounds = {"(p - 2 + k) [p > 1]", Along<scan_linear>::rounds},
    .transfers = {"(p - 1) k", Along<scan_linear>::transfers},
    .time = "(p - 2 + k) (t_s + t_w m / k) [p > 1] + [p > 2] (p - 3 + k) t_op m / k",
    .peers = Along<scan_linear>::peers,
    .segments = true,
    .carriers = every_family,
    .best_for = "long messages, in many segments; arrays",
    .source = "the pipeline of Wikipedia, Broadcast (parallel pattern), with an operator",
};

}  // namespace registered
}  // namespace vnode
