#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/select.hpp>

#include "base/counted.hpp"
#include "building_blocks/needs.hpp"
#include "select/levels.hpp"
#include "select/meeting_form.hpp"

namespace vnode {
namespace {

/// Tells whether the algorithm promises load 1 on the topology by its default routing.
bool carried_by(const Algorithm& algorithm, const Topology& topology) {
  return std::ranges::any_of(algorithm.carriers, [&](const Carrier& carrier) {
    return carrier.family == enums::name(topology.family()) &&
           (carrier.routing.empty() || carrier.routing == enums::name(topology.default_routing()));
  });
}

/// The factor by which a result may take longer if it is rounded once.
constexpr double at_once_may_take = 2;

/// Returns the cheapest candidate that can be chosen, or the cheapest that combines at once, if that is asked
/// for and takes not much longer.
const Candidate* best_of(const std::vector<Candidate>& all, const Demand& demand) {
  const Candidate* const best = cheapest(all);
  if (!demand.at_once || demand.parameters.nodes <= 2) return best;
  const Candidate* const at_once = cheapest(all, true);
  return at_once != nullptr && at_once->seconds <= at_once_may_take * best->seconds ? at_once : best;
}

/// Returns the algorithm that fibers carry out at one meeting, or an all_to_all between two; null if there is
/// none. It is chosen: no other one has so few turns. So others need not be assessed, whose schedules are
/// long where there are many nodes.
const Algorithm* one_that_meets(const Demand& demand, const Topology& topology, const CostModel& costs) {
  if (costs.turn <= 0 || !demand.tuned.empty() || demand.at_once) return nullptr;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective != demand.collective || needs(algorithm, Need::domains) ||
        !carried_by(algorithm, topology) || why_not(algorithm, demand.parameters))
      continue;
    const MeetingForm form = meeting_form(algorithm, demand, demand.parameters, costs);
    if (form != MeetingForm::none &&
        (form != MeetingForm::exchange || demand.collective == Collective::all_to_all))
      return &algorithm;
  }
  return nullptr;
}

std::vector<Candidate> candidates(const Demand& demand, const Topology& topology, const CostModel& costs,
                                  SharesOfLevels& shares) {
  std::vector<Candidate> all;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective != demand.collective) continue;
    Candidate& candidate = all.emplace_back(assessed(algorithm, demand, costs, shares));
    const auto tuned = tuned_seconds(demand.tuned, demand.collective, algorithm.name, demand.parameters.nodes,
                                     costs.nodes_per_pu > 1, demand.bytes);
    if (!tuned || !candidate.excluded.empty()) continue;
    candidate.seconds = *tuned;
    candidate.measured = true;
  }
  const auto carried = [&](const Candidate& candidate) {
    return topology.nodes() <= 2 || carried_by(*candidate.algorithm, topology);
  };
  const auto possible = [](const Candidate& candidate) { return candidate.excluded.empty(); };
  if (std::ranges::any_of(
          all, [&](const Candidate& candidate) { return possible(candidate) && carried(candidate); }))
    for (Candidate& candidate : all)
      if (possible(candidate) && !carried(candidate)) {
        candidate.excluded = fmt::format("does not promise load 1 on {}", topology.text());
        candidate.congested = true;
      }
  const Algorithm* const meets = one_that_meets(demand, topology, costs);
  const auto met = std::ranges::find_if(
      all, [&](const Candidate& candidate) { return candidate.algorithm == meets && possible(candidate); });
  if (met != all.end())
    met->chosen = true;
  else if (const Candidate* const best = best_of(all, demand))
    all[static_cast<std::size_t>(best - all.data())].chosen = true;
  return all;
}

}  // namespace

const Candidate* cheapest(std::span<const Candidate> candidates, bool at_once) {
  const auto possible = [&](const Candidate& candidate) {
    return candidate.excluded.empty() && (!at_once || candidate.algorithm->at_once);
  };
  const bool measured = std::ranges::any_of(
      candidates, [&](const Candidate& candidate) { return candidate.measured && possible(candidate); });
  const auto counts = [&](const Candidate& candidate) {
    return candidate.measured == measured && possible(candidate);
  };
  double least = std::numeric_limits<double>::infinity();
  for (const Candidate& candidate : candidates)
    if (counts(candidate)) least = std::min(least, candidate.seconds);
  const auto fewer = [](const Estimate& a, const Estimate& b) {
    return std::pair(a.startups, a.messages) < std::pair(b.startups, b.messages);
  };
  const Candidate* best = nullptr;
  for (const Candidate& candidate : candidates)
    if (counts(candidate) && candidate.seconds <= (1 + prediction_noise) * least &&
        (best == nullptr || fewer(candidate.estimate, best->estimate)))
      best = &candidate;
  return best;
}

std::vector<Candidate> candidates(const Demand& demand, const Topology& topology, const CostModel& costs) {
  SharesOfLevels shares;
  return candidates(demand, topology, costs, shares);
}

std::vector<int> mesh_extents(const Topology& topology) {
  const bool own = topology.family() == Family::mesh || topology.family() == Family::torus;
  const Topology grid = own ? topology : Topology(shapes::mesh{}, topology.nodes());
  return {grid.extents().begin(), grid.extents().end()};
}

Candidate choose(const Demand& demand, const Topology& topology, const CostModel& costs) {
  SharesOfLevels shares;
  return choose(demand, topology, costs, shares);
}

Candidate choose(const Demand& demand, const Topology& topology, const CostModel& costs,
                 SharesOfLevels& shares) {
  if (demand.algorithm.empty()) {
    if (const Algorithm* const meets = one_that_meets(demand, topology, costs)) {
      Candidate candidate = assessed(*meets, demand, costs, shares);
      candidate.chosen = true;
      if (candidate.excluded.empty()) return candidate;
    }
    for (Candidate& candidate : candidates(demand, topology, costs, shares))
      if (candidate.chosen) return std::move(candidate);
    throw UsageError(fmt::format("no {} algorithm can do this on {}", enums::name(demand.collective),
                                 counted(demand.parameters.nodes, "node")));
  }
  const Algorithm& forced = algorithm(demand.collective, demand.algorithm);
  Candidate candidate = assessed(forced, demand, costs, shares);
  if (!candidate.excluded.empty())
    throw UsageError(fmt::format("{} cannot run here: {}", forced.name, candidate.excluded));
  candidate.chosen = true;
  return candidate;
}

}  // namespace vnode
