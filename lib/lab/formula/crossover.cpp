#include <algorithm>
#include <cmath>

#include <vnode/lab/textbook.hpp>

namespace vnode {
namespace {

// The lower envelope of the times of some algorithms over the message size.
class Envelope {
 public:
  Envelope(std::span<const Algorithm* const> algorithms, const Parameters& parameters, const CostModel& costs)
      : algorithms_(algorithms), parameters_(parameters), costs_(costs) {}

  // Times are concave in m: lines, or minima of lines. Between near sizes with one winner there is no other.
  std::vector<Crossover> between(const SizeRange& sizes) {
    const double step = std::exp2(1.0 / 8);
    double low = sizes.least;
    const Algorithm* winner = cheapest(low);
    while (low < sizes.most) {
      const double high = std::min(low * step, sizes.most);
      const Algorithm* next = cheapest(high);
      if (next != winner) find(low, winner, high, next);
      low = high;
      winner = next;
    }
    return std::move(found_);
  }

 private:
  double seconds(const Algorithm& algorithm, double bytes) {
    Parameters parameters = parameters_;
    parameters.segments = optimum_segments(algorithm, parameters, static_cast<std::size_t>(bytes), costs_);
    return textbook_seconds(algorithm, parameters, bytes, costs_);
  }

  const Algorithm* cheapest(double bytes) {
    return *std::ranges::min_element(algorithms_, {},
                                     [&](const Algorithm* algorithm) { return seconds(*algorithm, bytes); });
  }

  // Where two lines meet: a difference of start-ups over one of slopes, so that no digits are lost.
  double meeting(const Algorithm& a, const Algorithm& b) {
    const Cost of_a = a.cost(parameters_), of_b = b.cost(parameters_);
    return (of_b.startups - of_a.startups) * costs_.t_s /
           ((of_a.words - of_b.words) * costs_.t_w + (of_a.combined - of_b.combined) * costs_.t_op);
  }

  // All changes from `below`, the cheapest at `low`, to `above`, that at `high`.
  void find(double low, const Algorithm* below, double high, const Algorithm* above) {
    const bool lines = !below->segments && !above->segments;
    const double middle = lines ? std::clamp(meeting(*below, *above), low, high) : (low + high) / 2;
    const bool narrow = high - low <= 1e-10 * high;
    const Algorithm* winner = cheapest(middle);
    const double time = seconds(*winner, middle);
    const bool nobody_else = seconds(*below, middle) - time <= 1e-12 * time;
    if (narrow || (lines && nobody_else) || (lines && (middle <= low || middle >= high))) {
      found_.push_back({middle, below, above});
      return;
    }
    if (winner != below) find(low, below, middle, winner);
    if (winner != above) find(middle, winner, high, above);
  }

  std::span<const Algorithm* const> algorithms_;
  const Parameters& parameters_;
  const CostModel& costs_;
  std::vector<Crossover> found_;
};

}  // namespace

std::vector<Crossover> crossovers(std::span<const Algorithm* const> algorithms, const Parameters& parameters,
                                  const CostModel& costs, const SizeRange& sizes) {
  if (algorithms.empty()) return {};
  return Envelope(algorithms, parameters, costs).between(sizes);
}

std::vector<Crossover> crossovers(Demand demand, const Topology& topology, const CostModel& costs,
                                  const SizeRange& sizes) {
  demand.bytes = 0;
  demand.parameters.segments = 1;
  std::vector<const Algorithm*> possible;
  for (const Candidate& candidate : candidates(demand, topology, costs))
    if (candidate.excluded.empty()) possible.push_back(candidate.algorithm);
  return crossovers(possible, demand.parameters, costs, sizes);
}

}  // namespace vnode
