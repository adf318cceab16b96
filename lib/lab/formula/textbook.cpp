#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <vnode/lab/textbook.hpp>

#include "building_blocks/moving_blocks.hpp"

namespace vnode {
namespace {

/// Two numbers of segments, which show what depends on them.
constexpr int few_segments = 840, many_segments = 2 * few_segments;

// Finds the lower envelope of the times of some algorithms over the message size.
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

  // Returns where two lines meet: a difference of start-ups over one of slopes, so that no digits are lost.
  double meeting(const Algorithm& a, const Algorithm& b) {
    const Cost of_a = a.cost(parameters_), of_b = b.cost(parameters_);
    return (of_b.startups - of_a.startups) * costs_.t_s /
           ((of_a.words - of_b.words) * costs_.t_w + (of_a.combined - of_b.combined) * costs_.t_op);
  }

  // Finds all changes from `below`, the cheapest at `low`, to `above`, the cheapest at `high`.
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

SymbolValues symbol_values(const Algorithm& algorithm, const Parameters& parameters) {
  SymbolValues values{.extents = parameters.extents};
  values.named["p"] = parameters.nodes;
  if (algorithm.segments) values.named["k"] = parameters.segments;
  if (algorithm.radix) values.named["k"] = parameters.radix;
  if (algorithm.collective == Collective::circular_shift) values.named["q"] = shift_forward(parameters);
  if (parameters.extents.size() == 2) {
    values.named["r"] = parameters.extents[0];
    values.named["c"] = parameters.extents[1];
  }
  for (const Symbol& symbol : algorithm.symbols)
    values.named[std::string(symbol.name)] = symbol.value(parameters);
  return values;
}

LowerBound lower_bound(Collective collective, const Parameters& parameters, int ports) {
  const int p = parameters.nodes;
  switch (collective) {
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::scatter:
    case Collective::gather:
    case Collective::all_to_all:
      return personalized_bound(p, ports);
    case Collective::all_reduce:
      return all_reduce_bound(p, ports);
    case Collective::circular_shift:
      return shift_bound(shift_forward(parameters));
    case Collective::barrier:
      return barrier_bound(p, ports);
    default:
      return broadcast_bound(p, ports, parameters.segments);
  }
}

int ports_at_once(Ports ports, const Topology& topology) {
  int most = 1;
  if (ports == Ports::all)
    for (Rank rank = 0; rank < topology.nodes(); ++rank) most = std::max(most, topology.degree(rank));
  return most;
}

LowerBound lower_bound(Collective collective, const Parameters& parameters, Ports ports,
                       const Topology& topology) {
  const int together = ports_at_once(ports, topology);
  const bool exchange = collective == Collective::all_to_all && topology.family() == Family::hypercube;
  if (exchange && together > 1) return hypercube_exchange_bound(parameters.nodes);
  return lower_bound(collective, parameters, together);
}

std::optional<Formula> optimum_formula(const Algorithm& algorithm, const Parameters& parameters) {
  if (algorithm.best_segments.empty()) return std::nullopt;
  const std::vector<std::string> used = Formula::parse(algorithm.time).symbols();
  Parameters low = parameters, high = parameters;
  low.segments = few_segments;
  high.segments = many_segments;
  for (const Symbol& symbol : algorithm.symbols)
    if (std::ranges::find(used, symbol.name) != used.end() && symbol.value(low) != symbol.value(high))
      return std::nullopt;
  return Formula::parse(algorithm.best_segments);
}

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
