#include "compare/comparison.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/lab/textbook.hpp>

#include "base/counted.hpp"
#include "options/costs.hpp"
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

// Two simulations may be of one schedule, which is built to learn its number of blocks.
class Volumes {
 public:
  Volume of(const Algorithm& algorithm, const Parameters& parameters, std::size_t bytes) {
    const auto [at, added] =
        known_.try_emplace({&algorithm, parameters.segments, parameters.hierarchy.text()}, Volume{});
    if (added)
      at->second =
          volume_of(contract(algorithm.collective, parameters, algorithm.build(parameters).blocks()), 0);
    Volume volume = at->second;
    volume.bytes = bytes;
    return volume;
  }

 private:
  std::map<std::tuple<const Algorithm*, int, std::string>, Volume> known_;
};

SimulationCase simulation_of(const Contest& contest, const Entry& entry, Volumes& volumes) {
  const Algorithm& algorithm = *entry.algorithm;
  const Parameters parameters = parameters_of(contest, entry);
  SimulationCase one{
      [&algorithm, parameters] { return algorithm.build(parameters); },
      volumes.of(algorithm, parameters, entry.bytes),
      {contest.topology, routing_of(&algorithm, contest.topology), Duplex::full, contest.machines},
      simulation_options_of(ports(algorithm, parameters), contest.topology.nodes(), contest.machines,
                            contest.costs)};
  one.options.timeline = false;
  return one;
}

/// Simulates every entry, with all cores at work, except those that would take too long.
void simulate_all(const Contest& contest, std::vector<Entry>& entries) {
  std::vector<SimulationCase> cases;
  std::vector<Entry*> simulated;
  Volumes volumes;
  std::optional<Notice> notice("looking at the schedules");
  for (Entry& entry : entries) {
    entry.predicted.emplace_back();
    if (transfers_of(*entry.algorithm, parameters_of(contest, entry)) > most_simulated_transfers) continue;
    cases.push_back(simulation_of(contest, entry, volumes));
    simulated.push_back(&entry);
  }
  notice.reset();
  Progress progress;
  const std::vector<Simulation> results = simulate(cases, [&](std::size_t done) {
    progress.show(static_cast<double>(done) / static_cast<double>(cases.size()), "simulated");
  });
  for (std::size_t i = 0; i < results.size(); ++i) simulated[i]->predicted.back() = results[i].seconds;
}

bool both_forms(const Contest& contest) {
  const Hierarchy& hierarchy = contest.demand.parameters.hierarchy;
  return hierarchy && !hierarchy.ways().form;
}

/// Returns the algorithms that can be chosen, in the order of the register.
std::vector<Candidate> candidates_for(const Demand& demand, const Contest& contest) {
  const Notice notice("looking at the schedules");
  if (!both_forms(contest)) return candidates(demand, contest.topology, contest.farthest);
  const auto in_form = [&](HierarchyForm form) {
    Demand one = demand;
    Hierarchy::Ways ways = demand.parameters.hierarchy.ways();
    ways.form = form;
    one.parameters.hierarchy = demand.parameters.hierarchy.with(std::move(ways));
    return candidates(one, contest.topology, contest.farthest);
  };
  std::vector<Candidate> all = in_form(HierarchyForm::leaders);
  std::vector<Candidate> others = in_form(HierarchyForm::slices);
  std::erase_if(others, [](const Candidate& candidate) { return !candidate.hierarchy; });
  std::ranges::move(others, std::back_inserter(all));
  return all;
}

}  // namespace

std::string entry_name(const Contest& contest, const Entry& entry) {
  const auto& form = entry.hierarchy.ways().form;
  return fmt::format("{}{}", entry.algorithm->name,
                     both_forms(contest) && form ? fmt::format(", {}", enums::name(*form)) : "");
}

Comparison compared(const Contest& contest) {
  Comparison comparison{.kinds = {"estimate", "formula", "simulated"}};
  if (contest.machines > 1) comparison.kinds = {"estimate", "simulated"};
  Demand demand = contest.demand;
  check_choice(demand);
  std::string excluded;
  for (const std::size_t bytes : contest.sizes) {
    demand.bytes = bytes;
    std::vector<Candidate> carried;
    const std::size_t before = comparison.entries.size();
    for (const Candidate& candidate : candidates_for(demand, contest)) {
      if (!contest.only.empty() && std::ranges::count(contest.only, candidate.algorithm) == 0) continue;
      if (!candidate.excluded.empty() && !candidate.congested) {
        excluded = fmt::format("{} {}", candidate.algorithm->name, candidate.excluded);
        continue;
      }
      Entry entry{.bytes = bytes,
                  .algorithm = candidate.algorithm,
                  .segments = candidate.segments,
                  .hierarchy = candidate.hierarchy,
                  .carried = !candidate.congested};
      entry.predicted = {candidate.seconds};
      if (contest.machines == 1)
        entry.predicted.push_back(textbook_seconds(*entry.algorithm, parameters_of(contest, entry),
                                                   static_cast<double>(bytes), contest.costs.costs));
      comparison.entries.push_back(std::move(entry));
      if (!candidate.congested) carried.push_back(candidate);
    }
    if (const Candidate* const best = cheapest(carried))
      for (Entry& entry : std::span(comparison.entries).subspan(before))
        entry.best =
            entry.algorithm == best->algorithm && entry.hierarchy.ways().form == best->hierarchy.ways().form;
  }
  if (comparison.entries.empty() && !contest.only.empty()) throw UsageError(excluded);
  if (comparison.entries.empty())
    throw UsageError(fmt::format("no {} algorithm can do this on {}", enums::name(contest.demand.collective),
                                 counted(contest.topology.nodes(), "node")));
  simulate_all(contest, comparison.entries);
  return comparison;
}

}  // namespace vnode
