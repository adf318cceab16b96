#include "compare/comparison.hpp"

#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/textbook.hpp>

#include "files/progress.hpp"
#include "options/subject.hpp"
#include "simulate/simulation_options.hpp"

namespace vnode {
namespace {

Parameters parameters_of(const Contest& contest, const Entry& entry) {
  Parameters parameters = contest.demand.parameters;
  parameters.segments = entry.segments;
  return parameters;
}

SimulationCase simulation_of(const Contest& contest, const Entry& entry) {
  const Algorithm& algorithm = *entry.algorithm;
  const Parameters parameters = parameters_of(contest, entry);
  const int blocks = algorithm.build(parameters).blocks();
  const Volume volume{entry.bytes, contract(algorithm.collective, parameters, blocks).message_blocks};
  SimulationCase one{[&algorithm, parameters] { return algorithm.build(parameters); },
                     volume,
                     {contest.topology, routing_of(&algorithm, contest.topology)},
                     simulation_options(&algorithm, contest.topology.nodes(), contest.costs)};
  one.options.timeline = false;
  return one;
}

/// What every entry takes in the simulator, all cores at work.
void simulate_all(const Contest& contest, std::vector<Entry>& entries) {
  std::vector<SimulationCase> cases;
  for (const Entry& entry : entries) cases.push_back(simulation_of(contest, entry));
  Progress progress;
  const std::vector<Simulation> results = simulate(cases, [&](std::size_t done) {
    progress.show(static_cast<double>(done) / static_cast<double>(cases.size()), "simulated");
  });
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i].predicted.push_back(results[i].seconds);
}

}  // namespace

Comparison compared(const Contest& contest) {
  Comparison comparison{.kinds = {"estimate", "formula", "simulated"}};
  // By two nodes nothing is excluded for congestion, so that what is excluded cannot run.
  const Topology no_congestion(full{}, 2);
  Demand demand = contest.demand;
  for (const std::size_t bytes : contest.sizes) {
    demand.bytes = bytes;
    const std::vector<Candidate> chosen = candidates(demand, contest.topology, contest.costs.costs);
    const std::vector<Candidate> able = candidates(demand, no_congestion, contest.costs.costs);
    for (std::size_t i = 0; i < able.size(); ++i) {
      if (!able[i].excluded.empty()) continue;
      Entry entry{.bytes = bytes,
                  .algorithm = able[i].algorithm,
                  .segments = able[i].segments,
                  .carried = chosen[i].excluded.empty(),
                  .best = chosen[i].chosen};
      entry.predicted = {able[i].seconds, textbook_seconds(*entry.algorithm, parameters_of(contest, entry),
                                                           static_cast<double>(bytes), contest.costs.costs)};
      comparison.entries.push_back(std::move(entry));
    }
  }
  if (comparison.entries.empty())
    throw UsageError(fmt::format("no {} algorithm can do this on {} nodes", name(contest.demand.collective),
                                 contest.topology.nodes()));
  simulate_all(contest, comparison.entries);
  return comparison;
}

}  // namespace vnode
