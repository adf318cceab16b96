// scan_linear: segment after segment goes from rank to rank, growing; a pipeline.
//   rounds     (p - 2 + k) [p > 1]
//   transfers  (p - 1) k
//   time       (p - 2 + k) (t_s + (t_w + t_op) m / k) [p > 1]
//   needs      nothing
//   ports      single
//   best for   long messages, in many segments; arrays
//   source     the pipeline of Wikipedia, Broadcast (parallel pattern), with an operator
//   picture    p = 4, segments 2: 1: 0+>1[0]; 2: 0+>1[1] 1+>2[0]; 3: 1+>2[1] 2+>3[0]; 4: 2+>3[1]
// k = Parameters::segments.
#include <algorithm>

#include "collective/formula.hpp"
#include "collective/scan.hpp"

namespace vnode {

Schedule scan_linear(const Parameters& parameters) {
  const auto [p, k] = std::pair(parameters.nodes, parameters.segments);
  Schedule schedule(p, k);
  for (int t = 0; t < pipeline_rounds(p, k); ++t) {
    Round& round = schedule.next_round();
    for (Rank from = std::max(0, t - k + 1); from <= std::min(t, p - 2); ++from)
      round.push_back({from, from + 1, schedule.block(t - from), Effect::combine_before});
  }
  return schedule;
}

namespace registered {

constinit const Algorithm scan_linear{
    .name = "scan_linear",
    .collective = Collective::scan,
    .build = vnode::scan_linear,
    .cost =
        [](const Parameters& parameters) {
          const int k = parameters.segments, rounds = pipeline_rounds(parameters.nodes, k);
          const double words = double(rounds) / k;
          return Cost{double(rounds), words, words, words};
        },
    .rounds = {"(p - 2 + k) [p > 1]",
               [](const Parameters& parameters) {
                 return pipeline_rounds(parameters.nodes, parameters.segments);
               }},
    .transfers = {"(p - 1) k",
                  [](const Parameters& parameters) { return (parameters.nodes - 1) * parameters.segments; }},
    .time = "(p - 2 + k) (t_s + (t_w + t_op) m / k) [p > 1]",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return to == from + 1 && from <= round && round < from + parameters.segments; },
    .segments = true,
    .carriers = every_family,
    .best_for = "long messages, in many segments; arrays",
    .source = "the pipeline of Wikipedia, Broadcast (parallel pattern), with an operator",
};

}  // namespace registered
}  // namespace vnode
