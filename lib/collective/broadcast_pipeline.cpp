// broadcast_pipeline: segment after segment goes from rank to rank, from the root once round.
//   rounds     (p - 2 + k) [p > 1]
//   transfers  (p - 1) k
//   time       (p - 2 + k) [p > 1] (t_s + t_w m / k)
//   needs      nothing
//   ports      single
//   best for   very long messages on arrays, rings and meshes, in many segments
//   source     Wikipedia, Broadcast (parallel pattern), pipeline; p - 2 + k for its p + k
//   picture    p = 4, root 1, segments 2: 1: 1>2[0]; 2: 1>2[1] 2>3[0]; 3: 2>3[1] 3>0[0]; 4: 3>0[1]
// k = Parameters::segments.
#include <algorithm>

#include "collective/broadcast.hpp"
#include "collective/formula.hpp"

namespace vnode {

Schedule broadcast_pipeline(const Parameters& parameters) {
  const auto [p, k] = std::pair(parameters.nodes, parameters.segments);
  const auto rank = [&](int relative) { return (relative + parameters.root) % parameters.nodes; };
  Schedule schedule(p, k);
  for (int t = 0; t < pipeline_rounds(p, k); ++t) {
    Round& round = schedule.next_round();
    for (int from = std::max(0, t - k + 1); from <= std::min(t, p - 2); ++from)
      round.push_back({rank(from), rank(from + 1), schedule.block(t - from)});
  }
  return schedule;
}

namespace {

constexpr Count rounds{"(p - 2 + k) [p > 1]", [](const Parameters& parameters) {
                         return pipeline_rounds(parameters.nodes, parameters.segments);
                       }};

}  // namespace

namespace registered {

constinit const Algorithm broadcast_pipeline{
    .name = "broadcast_pipeline",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_pipeline,
    .cost = segment_in_each<rounds>,
    .rounds = rounds,
    .transfers = one_per_segment,
    .time = "(p - 2 + k) [p > 1] (t_s + t_w m / k)",
    .peers =
        [](const Parameters& parameters, int round, Rank from, Rank to) {
          const int p = parameters.nodes, place = cyclic_distance(parameters.root, from, p);
          return cyclic_distance(from, to, p) == 1 && to != parameters.root && place <= round &&
                 round < place + parameters.segments;
        },
    .segments = true,
    .carriers = every_family,
    .best_for = "very long messages on arrays, rings and meshes, in many segments",
    .source = "Wikipedia, Broadcast (parallel pattern), pipeline; p - 2 + k for its p + k",
};

}  // namespace registered
}  // namespace vnode
