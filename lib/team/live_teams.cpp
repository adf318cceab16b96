#include "team/live_teams.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include <vnode/error.hpp>

#include "base/counted.hpp"
#include "machine/binding.hpp"
#include "settings/environment.hpp"

namespace vnode {

namespace {

/// Adds one for each of these PUs to the number of nodes on it; `counts` is by os index.
void count(std::vector<int>& counts, std::span<const int> pus) {
  for (const int pu : pus) {
    const auto at = static_cast<std::size_t>(pu);
    if (counts.size() <= at) counts.resize(at + 1);
    ++counts[at];
  }
}

}  // namespace

/// Lists the live teams of the process. It is never destroyed, since teams may end later than anything else
/// at the end of the process.
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

  /// Empties the list in a child of fork(), which has got all memory of the parent and none of its threads.
  void inherit() {
    for (LiveTeam* const team : list) {
      team->life_->inherit();
      if (team->host_) team->host_->abandon();
    }
    of_parent.splice(of_parent.end(), list);
    mutex.unlock();
  }
  /// Returns, by os index, how many nodes of other teams are pinned to a PU.
  std::vector<int> uses(const LiveTeam& of) const {
    std::vector<int> counts;
    for (const LiveTeam* const team : list)
      if (team != &of) count(counts, team->pus_);
    return counts;
  }

  std::mutex mutex;                // guards all below, and the teams' PUs
  std::list<LiveTeam*> list;       // in the order in which they were made
  std::list<LiveTeam*> of_parent;  // teams of parent processes, kept in memory
  std::uint64_t changes = 0;       // of the PUs in use
};

namespace {

int uses_of(std::span<const int> uses, const Pu& pu) {
  const auto at = static_cast<std::size_t>(pu.os_index);
  return pu.os_index >= 0 && at < uses.size() ? uses[at] : 0;
}

/// Returns the greatest number of nodes on one PU.
int most_on_a_pu(const Mapping& mapping) {
  std::map<int, int> nodes;
  for (const int pu : mapping.pu) ++nodes[pu];
  int most = 0;
  for (const auto& [pu, count] : nodes) most = std::max(most, count);
  return most;
}

/// Returns the mapping, or nothing if the team cannot be mapped to this machine.
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

LiveTeam::LiveTeam(std::shared_ptr<TeamLife> life, const std::string& share, bool by_variable)
    : life_(std::move(life)) {
  try {
    if (share != share_in_process) host_.emplace(share);
  } catch (const SystemError& error) {
    if (by_variable) throw SystemError(fmt::format("VNODE_SHARE={}: {}", share, error.what()));
    throw;
  }
  LiveTeams& teams = LiveTeams::of_process();
  const std::lock_guard lock(teams.mutex);
  teams.list.push_back(this);
}

LiveTeam::~LiveTeam() {
  LiveTeams& teams = LiveTeams::of_process();
  const std::lock_guard lock(teams.mutex);
  std::erase(teams.list, this);
  ++teams.changes;
  host_.reset();  // with the lock, so that no child of fork() has its descriptors
}

Mapping LiveTeam::settle(const Machine& machine, bool movable, const MapTeam& map) {
  LiveTeams& teams = LiveTeams::of_process();
  for (;;) {
    std::vector<int> here, on_host;
    std::vector<HostTeam> known;
    std::uint64_t changes = 0;
    {
      const std::lock_guard lock(teams.mutex);
      if (host_) known = host_->others();
      here = teams.uses(*this);
      changes = teams.changes;
    }
    std::vector<int> uses = here;
    for (const HostTeam& team : known) {
      count(on_host, team.pus);
      count(uses, team.pus);
    }
    // Without the lock, since a policy may search in parallel, on threads that make teams meanwhile.
    Mapping mapping = movable ? mapping_beside(uses, machine, map) : map(machine);
    std::vector<int> pus;
    std::set<int> shared, shared_on_host;
    for (const int at : mapping.pu) {
      const Pu& pu = machine.pus[static_cast<std::size_t>(at)];
      pus.push_back(pu.os_index);
      if (uses_of(here, pu) > 0) shared.insert(pu.os_index);
      if (uses_of(on_host, pu) > 0) shared_on_host.insert(pu.os_index);
    }
    const std::lock_guard lock(teams.mutex);
    if (teams.changes != changes || (host_ && !host_->tell(pus, known))) continue;
    on_host_ = std::move(known);
    others_ = static_cast<int>(std::ranges::count_if(
        teams.list, [this](const LiveTeam* team) { return team != this && !team->pus_.empty(); }));
    pus_ = std::move(pus);
    shared_.assign(shared.begin(), shared.end());
    shared_on_host_.assign(shared_on_host.begin(), shared_on_host.end());
    ++teams.changes;
    return mapping;
  }
}

namespace {

/// Returns "on PUs 0-3", with `whose` before "PUs".
std::string on(std::string_view whose, const std::vector<int>& pus) {
  return fmt::format("on {}{} {}", whose, pus.size() == 1 ? "PU" : "PUs", number_ranges(pus));
}
std::string beside(const std::vector<int>& shared) {
  return shared.empty() ? "on other PUs" : on("its ", shared) + " too";
}

}  // namespace

std::string LiveTeam::report() const {
  std::string text;
  if (others_ > 0)
    text =
        fmt::format("other teams: {} in this process when this one was made, {}\n", others_, beside(shared_));
  if (!host_) return text;
  std::vector<std::string> who;
  for (const HostTeam& team : on_host_) {
    const std::set<int> pus(team.pus.begin(), team.pus.end());
    who.push_back(fmt::format("{} ({}) {}", team.program, team.process, on("", {pus.begin(), pus.end()})));
  }
  return text + (who.empty() ? fmt::format("other processes: none had a team in {} when this one was made\n",
                                           host_->folder())
                             : fmt::format("other processes: {} when this team was made, {}\n",
                                           fmt::join(who, ", "), beside(shared_on_host_)));
}

}  // namespace vnode
