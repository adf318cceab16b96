#include <algorithm>
#include <span>

#include <vnode/model/machine.hpp>
#include <vnode/team.hpp>

#include "compare/comparison.hpp"
#include "measure/collective_data.hpp"
#include "statistics/statistics.hpp"
#include "timing/affinity.hpp"

namespace vnode {
namespace {

/// Measures the entries of one size.
void measure_size(Team& team, const Demand& demand, std::span<Entry> entries, Beginnings& beginnings) {
  PlannedCalls calls(demand);
  for (const Entry& entry : entries) calls.add(*entry.algorithm, entry.segments, entry.hierarchy);
  const Timings timings =
      measure(team, calls.question(),
              {.warmup = 1, .seconds = 0.2, .least = 5, .core_each = beginnings.together, .most_batch = 1});
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const CallTimes times = call_times(timings.series[i]);
    beginnings.rounds += times.calls;
    beginnings.late += times.late;
    entries[i].late = times.late == times.calls;
    entries[i].measured = median(times.seconds);
  }
}

}  // namespace

void measure(const Contest& contest, Comparison& comparison, const std::function<void(double)>& measured) {
  const Machine machine = Machine::discover();
  Demand demand = contest.demand;
  demand.bytes = contest.sizes.back();
  CollectiveData::check_memory(demand, machine);
  const int p = contest.topology.nodes();
  TeamOptions options;
  options.keep_caller_pinned = true;
  options.nodes = usual_nodes(p, machine);
  options.costs = contest.costs.costs;  // every algorithm is named, none chosen
  Team team(p, Shape::parse(contest.topology.text()), options);
  Beginnings& beginnings = comparison.beginnings.emplace(
      Beginnings{.together = machine.this_system && p <= machine.allowed_cores()});
  std::span<Entry> left = comparison.entries;
  while (!left.empty()) {
    demand.bytes = left.front().bytes;
    const auto other = [&](const Entry& entry) { return entry.bytes != demand.bytes; };
    const auto count = static_cast<std::size_t>(std::ranges::find_if(left, other) - left.begin());
    measure_size(team, demand, left.first(count), beginnings);
    left = left.subspan(count);
    measured(1 - static_cast<double>(left.size()) / static_cast<double>(comparison.entries.size()));
  }
}

}  // namespace vnode
