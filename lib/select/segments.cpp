#include <algorithm>
#include <cmath>
#include <utility>

#include <vnode/model/segments.hpp>

#include "compile/plan.hpp"

namespace vnode {

double textbook_seconds(const Algorithm& algorithm, const Parameters& parameters, double bytes,
                        const CostModel& costs) {
  const Cost cost = algorithm.cost(parameters);
  return cost.startups * costs.t_s + (cost.words * costs.t_w + cost.combined * costs.t_op) * bytes;
}

int most_segments(const Algorithm& algorithm, Parameters parameters, std::size_t bytes) {
  constexpr std::size_t least_bytes = 64;
  std::size_t most = std::clamp<std::size_t>(bytes / least_bytes, 1, most_rounds);
  const auto too_many = [&] {
    parameters.segments = static_cast<int>(most);
    return rounds(algorithm, parameters) > most_rounds;
  };
  while (most > 1 && too_many()) most /= 2;
  return static_cast<int>(most);
}

namespace {

// Two numbers of segments to tell by how a time depends on them: multiples of all dimensions up to 8, so that
// rounds such as ceil(k / d) + d are on the line.
constexpr int few = 840, many = 2 * few;

// T(k) = B + C k + A / k, in seconds.
struct Pipeline {
  double startups_per_segment;  // C = startups_per_segment t_s
  double seconds_per_piece;     // A

  Pipeline(const Algorithm& algorithm, Parameters parameters, double bytes, const CostModel& costs) {
    parameters.segments = few;
    const Cost low = algorithm.cost(parameters);
    parameters.segments = many;
    const Cost high = algorithm.cost(parameters);
    const auto moved = [&](const Cost& cost) {
      return (cost.words * costs.t_w + cost.combined * costs.t_op) * bytes;
    };
    startups_per_segment = (high.startups - low.startups) / (many - few);
    seconds_per_piece = (moved(low) - moved(high)) / (1.0 / few - 1.0 / many);
  }
};

}  // namespace

double optimum_before_rounding(const Algorithm& algorithm, Parameters parameters, double bytes,
                               const CostModel& costs) {
  if (!algorithm.segments) return 0;
  const Pipeline pipeline(algorithm, std::move(parameters), bytes, costs);
  const double startups = pipeline.startups_per_segment * costs.t_s;
  return startups > 0 ? std::sqrt(std::max(pipeline.seconds_per_piece, 0.0) / startups) : most_rounds;
}

int optimum_segments(const Algorithm& algorithm, const Parameters& parameters, std::size_t bytes,
                     const CostModel& costs) {
  const int most = algorithm.segments ? most_segments(algorithm, parameters, bytes) : 1;
  if (most == 1) return 1;
  const auto m = static_cast<double>(bytes);
  Parameters cut = parameters;
  const auto seconds = [&](int segments) {
    cut.segments = segments;
    return textbook_seconds(algorithm, cut, m, costs);
  };
  const double exact = optimum_before_rounding(algorithm, parameters, m, costs);
  const int below = static_cast<int>(std::min<double>(exact, most));
  int best = std::clamp(below, 1, most);
  double least = seconds(best);
  // Trees take pieces in turn, and cubes one for each dimension: the next multiple may be the better.
  constexpr int reach = 8;
  for (int segments = std::max(below - reach, 1); segments <= std::min(below + reach, most); ++segments)
    if (const double time = seconds(segments); time < least) {
      least = time;
      best = segments;
    }
  return best;
}

}  // namespace vnode
