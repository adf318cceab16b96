#include "compare/comparison.hpp"

#include <fmt/format.h>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/formula.hpp>
#include <vnode/textbook.hpp>

#include "base/counted.hpp"
#include "options/simulation_options.hpp"
#include "options/subject.hpp"
#include "terminal/progress.hpp"

namespace vnode {
namespace {

Parameters parameters_of(const Contest& contest, const Entry& entry) {
  Parameters parameters = contest.demand.parameters;
  parameters.segments = entry.segments;
  parameters.hierarchy = entry.hierarchy;
  return parameters;
}

// By the formula as it is written: of many nodes there are more than an int counts.
double transfers_of(const Algorithm& algorithm, const Parameters& parameters) {
  return Formula::parse(algorithm.transfers.text).value(symbol_values(algorithm, parameters));
}

// Two simulations may be of one schedule, which is built to learn its number of blocks.
class MessageBlocks {
 public:
  int of(const Algorithm& algorithm, const Parameters& parameters) {
    const auto [at, added] =
        known_.try_emplace({&algorithm, parameters.segments, parameters.hierarchy.text()}, 0);
    if (added)
      at->second =
          contract(algorithm.collective, parameters, algorithm.build(parameters).blocks()).message_blocks;
    return at->second;
  }

 private:
  std::map<std::tuple<const Algorithm*, int, std::string>, int> known_;
};

SimulationCase simulation_of(const Contest& contest, const Entry& entry, MessageBlocks& blocks) {
  const Algorithm& algorithm = *entry.algorithm;
  const Parameters parameters = parameters_of(contest, entry);
  SimulationCase one{
      [&algorithm, parameters] { return algorithm.build(parameters); },
      {entry.bytes, blocks.of(algorithm, parameters)},
      {contest.topology, routing_of(&algorithm, contest.topology)},
      simulation_options(ports(algorithm, parameters), contest.topology.nodes(), contest.costs)};
  one.options.timeline = false;
  return one;
}

/// What every entry takes in the simulator, all cores at work, but of those that would take too long.
void simulate_all(const Contest& contest, std::vector<Entry>& entries) {
  std::vector<SimulationCase> cases;
  std::vector<Entry*> simulated;
  MessageBlocks blocks;
  for (Entry& entry : entries) {
    entry.predicted.emplace_back();
    if (transfers_of(*entry.algorithm, parameters_of(contest, entry)) > most_simulated_transfers) continue;
    cases.push_back(simulation_of(contest, entry, blocks));
    simulated.push_back(&entry);
  }
  Progress progress;
  const std::vector<Simulation> results = simulate(cases, [&](std::size_t done) {
    progress.show(static_cast<double>(done) / static_cast<double>(cases.size()), "simulated");
  });
  for (std::size_t i = 0; i < results.size(); ++i) simulated[i]->predicted.back() = results[i].seconds;
}

}  // namespace

Comparison compared(const Contest& contest) {
  Comparison comparison{.kinds = {"estimate", "formula", "simulated"}};
  Demand demand = contest.demand;
  for (const std::size_t bytes : contest.sizes) {
    demand.bytes = bytes;
    for (const Candidate& candidate : candidates(demand, contest.topology, contest.costs.costs)) {
      if (!candidate.excluded.empty() && !candidate.congested) continue;
      Entry entry{.bytes = bytes,
                  .algorithm = candidate.algorithm,
                  .segments = candidate.segments,
                  .hierarchy = candidate.hierarchy,
                  .carried = !candidate.congested,
                  .best = candidate.chosen};
      entry.predicted = {candidate.seconds,
                         textbook_seconds(*entry.algorithm, parameters_of(contest, entry),
                                          static_cast<double>(bytes), contest.costs.costs)};
      comparison.entries.push_back(std::move(entry));
    }
  }
  if (comparison.entries.empty())
    throw UsageError(fmt::format("no {} algorithm can do this on {}", name(contest.demand.collective),
                                 counted(contest.topology.nodes(), "node")));
  simulate_all(contest, comparison.entries);
  return comparison;
}

}  // namespace vnode
