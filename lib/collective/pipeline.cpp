// Segment after segment goes from rank to rank.
#include <algorithm>

#include "building_blocks/composition.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace pipeline {

// Returns the rounds in which each of k segments goes from node to node along p of them.
constexpr int rounds_along(int p, int k) { return p > 1 ? p - 2 + k : 0; }
constexpr Count pipeline_rounds{"(p - 2 + k) [p > 1]", [](const Parameters& parameters) {
                                  return rounds_along(parameters.nodes, parameters.segments);
                                }};

// Calls send(round, from, segment) for all segments that node `from` of a line sends to the next in round t.
template <class Send>
Schedule along(Schedule schedule, int k, const Send& send) {
  for (int t = 0; t < rounds_along(schedule.nodes(), k); ++t) {
    Round& round = schedule.next_round();
    for (int from = std::max(0, t - k + 1); from <= std::min(t, schedule.nodes() - 2); ++from)
      send(schedule, round, from, t - from);
  }
  return schedule;
}

// Segments go from the root once round.
Schedule broadcast(const Parameters& parameters) {
  const auto rank = [&](int relative) { return (relative + parameters.root) % parameters.nodes; };
  return along(Schedule(parameters.nodes, parameters.segments), parameters.segments,
               [&](Schedule& schedule, Round& round, int from, int segment) {
                 round.push_back({rank(from), rank(from + 1), schedule.block(segment)});
               });
}

bool broadcast_peers(const Parameters& parameters, int round, Rank from, Rank to) {
  const int p = parameters.nodes, place = cyclic_distance(parameters.root, from, p);
  return cyclic_distance(from, to, p) == 1 && to != parameters.root && place <= round &&
         round < place + parameters.segments;
}

bool through_zero(const Parameters& parameters) { return breaks_order(parameters, parameters.nodes - 1); }

Schedule scan(const Parameters& parameters) {
  return along(Schedule(parameters.nodes, parameters.segments), parameters.segments,
               [](Schedule& schedule, Round& round, Rank from, int segment) {
                 round.push_back({from, from + 1, schedule.block(segment), Effect::combine_before});
               });
}

bool scan_peers(const Parameters& parameters, int round, Rank from, Rank to) {
  return to == from + 1 && from <= round && round < from + parameters.segments;
}

// Blocks 0 to k - 1 are the result, which is what comes from below; blocks k to 2k - 1 are the own
// contribution, to which it is added before it goes on.
Schedule exclusive_scan(const Parameters& parameters) {
  const auto [p, k] = std::pair(parameters.nodes, parameters.segments);
  return along(Schedule(p, 2 * k), k,
               [p = p, k = k](Schedule& schedule, Round& round, Rank from, int segment) {
                 const Blocks result = schedule.block(segment), total = schedule.block(k + segment);
                 round.push_back({from, from + 1, total, result, Effect::replace});
                 if (from < p - 2) round.push_back({from, from + 1, total, Effect::combine_before});
               });
}

}  // namespace pipeline

namespace registered {

constexpr Algorithm broadcast_pipeline = segment_row<pipeline::pipeline_rounds>({
    .name = "broadcast_pipeline",
    .build = pipeline::broadcast,
    .best_segments = "sqrt((p - 2) t_w m / t_s)",
    .peers = pipeline::broadcast_peers,
    .carriers = every_family,
    .best_for = "very long messages on arrays, rings and meshes, in many segments",
    .source = "Wikipedia, Broadcast (parallel pattern), pipeline; p - 2 + k for its p + k",
});
constexpr Algorithm reduce_pipeline =
    reduction_row<broadcast_pipeline, pipeline::through_zero>({.name = "reduce_pipeline"});

constexpr Algorithm scan_linear = segment_row<pipeline::pipeline_rounds>({
    .name = "scan_linear",
    .build = pipeline::scan,
    .cost =
        [](const Parameters& told) { return combining(segment_in_each<pipeline::pipeline_rounds>(told)); },
    .time = "(p - 2 + k) (t_s + (t_w + t_op) m / k) [p > 1]",
    .best_segments = "sqrt((p - 2) (t_w + t_op) m / t_s)",
    .peers = pipeline::scan_peers,
    .carriers = every_family,
    .best_for = "long messages, in many segments; arrays",
    .source = "the pipeline of Wikipedia, Broadcast (parallel pattern), with an operator",
});
constexpr Algorithm exclusive_scan_linear = row_like<scan_linear>({
    .name = "exclusive_scan_linear",
    .build = pipeline::exclusive_scan,
    .cost =
        [](const Parameters& parameters) {
          const auto [p, k] = std::pair(parameters.nodes, parameters.segments);
          Cost cost = segment_in_each<pipeline::pipeline_rounds>(parameters);
          cost.combined = double(pipeline::rounds_along(p - 1, k)) / k;
          return cost;
        },
    .time = "(p - 2 + k) (t_s + t_w m / k) [p > 1] + [p > 2] (p - 3 + k) t_op m / k",
    .best_segments = "sqrt(((p - 2) t_w m + (p - 3) [p > 2] t_op m) / t_s)",
});

}  // namespace registered
}  // namespace vnode
