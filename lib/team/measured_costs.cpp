// What a team knows of its machine's speed: what two threads measure, and the profile.
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/pu_distance.hpp>
#include <vnode/model/select.hpp>

#include "team/calibration.hpp"
#include "team/team_state.hpp"

namespace vnode {

/// Returns what `measure` returns on node 0 of a team of two; it is called with each node's member.
template <class Measure>
auto Team::State::measured_by_two(const Settings& two, const Machine& machine, const Measure& measure) {
  struct Job {
    State team;
    const Measure& measure;
    decltype(measure(std::declval<Member&>())) result{};
  } job{.team{2, shapes::full{}, two, machine}, .measure = measure};
  job.team.run(
      [](void* argument, Node& node) {
        auto& shared = *static_cast<Job*>(argument);
        const auto own = shared.measure(*shared.team.members[static_cast<std::size_t>(node.rank())]);
        if (node.rank() == 0) shared.result = own;
      },
      &job);
  return job.result;
}

/// Limits the time of measuring to a hundred times what it takes on cores of its own.
constexpr std::chrono::milliseconds longest_measuring{100};

CostModel Team::State::measured_costs() const {
  if (settings.options.costs) return *settings.options.costs;
  CostModel measured = typical_costs;
  if (outside) return measured;  // what is measured here is not known elsewhere
  const std::set<int> used(mapping.pu.begin(), mapping.pu.end());
  measured.nodes_per_pu = static_cast<double>(topology.nodes()) / static_cast<double>(used.size());
  // Where nodes share PUs their turns count, whatever two threads by themselves would measure.
  if (topology.nodes() == 1 || !own_core) return measured;
  try {
    Settings two{settings.options, {}};
    const int first = *used.begin();
    const PuDistance distance(machine);
    two.options.pus = {first,
                       *std::ranges::max_element(used, {}, [&](int pu) { return distance(first, pu); })};
    two.options.mapping.clear();
    two.options.algorithms.clear();
    two.options.profile.clear();
    two.options.arenas.reset();
    two.options.share = share_in_process;
    two.options.threads = Threads::own;
    two.options.apart = true;  // the caller may be a node in a run
    two.options.checked = two.options.deterministic = two.options.statistics = false;
    two.options.time_limit = longest_measuring;  // of a wait
    const MeasureUntil until = std::chrono::steady_clock::now() + longest_measuring;
    two.options.costs = typical_costs;
    two.options.inline_to = two.options.shared_from = std::numeric_limits<std::size_t>::max();
    const auto [eager, alone] = measured_by_two(two, machine, [=](Member& member) {
      return std::pair(calibrated(member, until), carried(member, until));
    });
    measured = eager;
    two.options.inline_to = two.options.shared_from = 0;
    const Carried announced =
        measured_by_two(two, machine, [=](Member& member) { return carried(member, until); });
    measured.eager_to = eager_limit(alone, announced);
    measured.shared_from = shared_limit(alone, announced);
  } catch (const SystemError&) {
    // Two more threads cannot be had: typical costs are used.
  } catch (const TimeLimitExceeded&) {
    // The machine is busy: the measured times mean nothing, and the caller waits.
    measured = typical_costs;
  }
  measured.nodes_per_pu = 1;
  return measured;
}

ProfileChoice Team::State::profile() const {
  const TeamOptions& options = settings.options;
  if (outside) return {std::nullopt, "none, since other processes may have another"};
  if (!options.profile.empty()) return choose_profile(options.profile, machine);
  if (options.costs) return {std::nullopt, "none, since costs are given"};
  if (!carried_nodes().empty()) return {std::nullopt, "none, since its times are those of threads"};
  try {
    return choose_profile(std::nullopt, machine);
  } catch (const std::exception& error) {  // nobody has asked for what is kept there
    return {std::nullopt, fmt::format("none: {}", error.what())};
  }
}

}  // namespace vnode
