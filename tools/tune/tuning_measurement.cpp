#include "tune/tuning_measurement.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <utility>

#include <vnode/model/machine.hpp>
#include <vnode/model/machine_hierarchy.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/model/select.hpp>
#include <vnode/team.hpp>

#include "base/bytes.hpp"
#include "base/counted.hpp"
#include "measure/collective_data.hpp"
#include "statistics/statistics.hpp"

namespace vnode {
namespace {

/// Counts down the time of a task.
class Budget {
 public:
  Budget(double seconds, std::size_t points)
      : end_(Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
        points_(points) {}
  /// Returns the seconds for the next point, and counts it; 0 if the time is over.
  double next() {
    const double left = std::chrono::duration<double>(end_ - Clock::now()).count();
    return std::max(left, 0.0) / static_cast<double>(points_--);
  }

 private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end_;
  std::size_t points_;
};

/// Measures the points of one number of nodes.
class TunedTeam {
 public:
  TunedTeam(const Machine& machine, int nodes)
      : machine_(machine),
        mapping_(compact_mapping(machine, nodes)),
        core_each_(machine.this_system && nodes <= machine.allowed_cores()),
        team_(nodes, options()) {}

  TunedRow row(Collective collective, std::size_t bytes, double seconds, Tuning& sum) {
    Demand demand = team_demand(collective, bytes, team_.topology(), machine_, mapping_, team_.costs());
    std::vector<Candidate> all = candidates(demand, team_.topology(), team_.costs());
    std::erase_if(all, [](const Candidate& candidate) { return !candidate.excluded.empty(); });
    TunedRow row{.point = {.collective = collective,
                           .nodes = demand.parameters.nodes,
                           .share_pus = team_.costs().nodes_per_pu > 1,
                           .bytes = bytes}};
    constexpr double screening = 0.4;
    constexpr int screened_calls = 2, kept_calls = 5;
    const std::vector<double> screened = times(demand, all, screening * seconds, screened_calls, sum);
    const double limit = tuned_range * *std::ranges::min_element(screened);
    double predicted_seconds = 0;
    std::vector<Candidate> near;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].chosen) {
        row.predicted = all[i].algorithm->name;
        predicted_seconds = screened[i];
      }
      if (screened[i] < limit) near.push_back(all[i]);
    }
    const std::vector<double> kept = times(demand, near, (1 - screening) * seconds, kept_calls, sum);
    for (std::size_t i = 0; i < near.size(); ++i) row.point.seconds.emplace(near[i].algorithm->name, kept[i]);
    const std::span<const TunedPoint> points(&row.point, 1);
    demand.tuned = points;
    const Candidate chosen = choose(demand, team_.topology(), team_.costs());
    row.chosen = chosen.algorithm->name;
    row.seconds = chosen.seconds;
    const auto of_predicted = row.point.seconds.find(row.predicted);
    row.gain =
        (of_predicted != row.point.seconds.end() ? of_predicted->second : predicted_seconds) / row.seconds;
    return row;
  }

 private:
  static TeamOptions options() {
    TeamOptions options;
    options.keep_caller_pinned = true;
    options.nodes = Nodes::threads;  // whose choices the profile is for
    options.profile = "none";
    return options;
  }

  /// Returns the time of each, the mean of the middle half of its calls.
  std::vector<double> times(const Demand& demand, const std::vector<Candidate>& all, double seconds,
                            int least, Tuning& sum) {
    PlannedCalls calls(demand);
    for (const Candidate& candidate : all)
      calls.add(*candidate.algorithm, candidate.algorithm->segments ? candidate.segments : 0,
                candidate.hierarchy);
    const Timings timings =
        measure(team_, calls.question(),
                {.warmup = 1, .seconds = seconds, .least = least, .core_each = core_each_, .most_batch = 10});
    std::vector<double> means;
    for (const Series& series : timings.series) {
      const CallTimes times = call_times(series);
      sum.calls += times.calls;
      sum.late += times.late;
      means.push_back(middle_mean(times.seconds));
    }
    return means;
  }

  const Machine& machine_;
  const Mapping mapping_;
  const bool core_each_;
  Team team_;
};

/// Returns the sizes of a collective: one, which says nothing, for a barrier.
std::vector<std::size_t> sizes_of(const TuningTask& task, Collective collective) {
  return collective == Collective::barrier ? std::vector<std::size_t>{0} : task.sizes;
}

}  // namespace

Tuning measured_tuning(const TuningTask& task,
                       const std::function<void(double, const std::string&)>& measured) {
  const Machine machine = Machine::discover();
  std::size_t points = 0;
  for (const Collective collective : task.collectives) points += sizes_of(task, collective).size();
  points *= task.nodes.size();
  for (const Collective collective : task.collectives)  // before anything is measured
    for (const std::size_t bytes : sizes_of(task, collective))
      CollectiveData::check_memory(
          {.collective = collective, .parameters = {.nodes = task.nodes.back()}, .bytes = bytes}, machine);
  Budget budget(task.seconds, points);
  Tuning tuning;
  std::size_t done = 0;
  for (const int nodes : task.nodes) {
    TunedTeam team(machine, nodes);
    for (const Collective collective : task.collectives)
      for (const std::size_t bytes : sizes_of(task, collective)) {
        measured(static_cast<double>(done++) / static_cast<double>(points),
                 fmt::format("{}{}, {}", enums::name(collective), bytes > 0 ? " of " + bytes_text(bytes) : "",
                             counted(nodes, "node")));
        if (const double seconds = budget.next(); seconds > 0)
          tuning.rows.push_back(team.row(collective, bytes, seconds, tuning));
        else
          ++tuning.left_out;
      }
  }
  return tuning;
}

}  // namespace vnode
