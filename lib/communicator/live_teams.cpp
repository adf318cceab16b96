#include "communicator/live_teams.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include <vnode/error.hpp>

#include "base/counted.hpp"
#include "machine/binding.hpp"

namespace vnode {

/// All of them. It is never destroyed: teams may be, at the end of the process, later than anything else.
struct LiveTeams {
  static LiveTeams& of_process() {
    static LiveTeams* const teams = [] {
      auto made = std::make_unique<LiveTeams>();
      at_fork([] { of_process().mutex.lock(); }, [] { of_process().mutex.unlock(); },
              [] { of_process().inherit(); });
      return made.release();
    }();
    return *teams;
  }

  /// In a child of fork(), which has got all memory and none of the threads.
  void inherit() {
    for (const LiveTeam* const team : list) team->life_->inherit();
    of_parent.swap(list);
    mutex.unlock();
  }
  /// By os index: the nodes of others that are pinned to a PU.
  std::vector<int> uses(const LiveTeam& of) const {
    std::vector<int> counts;
    for (const LiveTeam* const team : list)
      for (const int pu : team->pus_) {
        if (team == &of) continue;
        const auto at = static_cast<std::size_t>(pu);
        if (counts.size() <= at) counts.resize(at + 1);
        ++counts[at];
      }
    return counts;
  }

  std::mutex mutex;                  // guards all below, and the teams' PUs
  std::vector<LiveTeam*> list;       // in the order in which they were made
  std::vector<LiveTeam*> of_parent;  // kept in memory
  std::uint64_t changes = 0;         // of the PUs in use
};

namespace {

int uses_of(std::span<const int> uses, const Pu& pu) {
  const auto at = static_cast<std::size_t>(pu.os_index);
  return pu.os_index >= 0 && at < uses.size() ? uses[at] : 0;
}

/// The most nodes on one PU.
int most_on_a_pu(const Mapping& mapping) {
  std::map<int, int> nodes;
  for (const int pu : mapping.pu) ++nodes[pu];
  int most = 0;
  for (const auto& [pu, count] : nodes) most = std::max(most, count);
  return most;
}

/// Nothing if the team cannot be there.
std::optional<Mapping> tried(const Machine& machine, const MapTeam& map) try {
  return map(machine);
} catch (const UsageError&) {
  return {};
} catch (const SystemError&) {
  return {};
}

}  // namespace

Mapping mapping_beside(std::span<const int> uses, const Machine& machine, const MapTeam& map) {
  Mapping alone = map(machine);
  std::vector<int> core_uses(machine.cores.size());
  for (const Pu& pu : machine.pus) core_uses[static_cast<std::size_t>(pu.core)] += uses_of(uses, pu);
  const auto of_core = [&](const Pu& pu) { return core_uses[static_cast<std::size_t>(pu.core)]; };
  std::set<int> core_limits, pu_limits;
  for (const Pu& pu : machine.pus) {
    if (!pu.allowed) continue;
    core_limits.insert(of_core(pu));
    pu_limits.insert(uses_of(uses, pu));
  }
  if (*core_limits.rbegin() == 0) return alone;
  const int most = most_on_a_pu(alone);
  for (const int core_limit : core_limits)
    for (const int pu_limit : pu_limits) {
      Machine part = machine;
      for (Pu& pu : part.pus)
        pu.allowed = pu.allowed && of_core(pu) <= core_limit && uses_of(uses, pu) <= pu_limit;
      if (part.allowed_pus().empty()) continue;
      std::optional<Mapping> there = tried(part, map);
      if (there && there->own_core == alone.own_core && there->cores_used == alone.cores_used &&
          most_on_a_pu(*there) == most)
        return *std::move(there);
    }
  return alone;
}

LiveTeam::LiveTeam(std::shared_ptr<TeamLife> life) : life_(std::move(life)) {
  LiveTeams& teams = LiveTeams::of_process();
  const std::lock_guard lock(teams.mutex);
  teams.list.push_back(this);
}

LiveTeam::~LiveTeam() {
  LiveTeams& teams = LiveTeams::of_process();
  const std::lock_guard lock(teams.mutex);
  std::erase(teams.list, this);
  ++teams.changes;
}

Mapping LiveTeam::settle(const Machine& machine, bool movable, const MapTeam& map) {
  LiveTeams& teams = LiveTeams::of_process();
  for (;;) {
    std::vector<int> uses;
    std::uint64_t changes = 0;
    {
      const std::lock_guard lock(teams.mutex);
      uses = teams.uses(*this);
      changes = teams.changes;
    }
    // Not under the lock: a policy may search in parallel, by threads that make teams meanwhile.
    Mapping mapping = movable ? mapping_beside(uses, machine, map) : map(machine);
    std::vector<int> pus;
    std::set<int> shared;
    for (const int at : mapping.pu) {
      const Pu& pu = machine.pus[static_cast<std::size_t>(at)];
      pus.push_back(pu.os_index);
      if (uses_of(uses, pu) > 0) shared.insert(pu.os_index);
    }
    const std::lock_guard lock(teams.mutex);
    if (teams.changes != changes) continue;
    others_ = static_cast<int>(std::ranges::count_if(
        teams.list, [this](const LiveTeam* team) { return team != this && !team->pus_.empty(); }));
    pus_ = std::move(pus);
    shared_.assign(shared.begin(), shared.end());
    ++teams.changes;
    return mapping;
  }
}

std::string LiveTeam::report() const {
  if (others_ == 0) return {};
  return fmt::format("other teams: {} in this process when this one was made, {}\n", others_,
                     shared_.empty() ? "on other PUs"
                                     : fmt::format("on its {} {} too", shared_.size() == 1 ? "PU" : "PUs",
                                                   number_ranges(shared_)));
}

}  // namespace vnode
