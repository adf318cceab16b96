#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/model/placement.hpp>

#include "engine/team_life.hpp"
#include "machine/host_teams.hpp"

namespace vnode {

/// A function that maps a team to the PUs of a machine that are allowed.
using MapTeam = std::function<Mapping(const Machine&)>;

/// Returns the mapping of a team beside others, of whose nodes `uses[os_index]` are pinned to a PU. It is
/// what `map` returns for the whole machine, restricted to the cores, and of these to the PUs, that the
/// fewest others use: as few as leave the team as many cores, and its nodes as few companions on their PU, as
/// it would have alone.
Mapping mapping_beside(std::span<const int> uses, const Machine& machine, const MapTeam& map);

/// A team's entry among the teams of the process that live at the same time: it shares out the PUs among
/// them, and among those of other processes if asked. A child of fork() has none of its parent's teams. Any
/// thread may use it.
class LiveTeam {
 public:
  /// Adds the team. `share` is TeamOptions::share, set by VNODE_SHARE if `by_variable`. Throws what HostTeams
  /// throws, and so does settle().
  LiveTeam(std::shared_ptr<TeamLife> life, const std::string& share, bool by_variable);
  ~LiveTeam();
  LiveTeam(const LiveTeam&) = delete;
  LiveTeam& operator=(const LiveTeam&) = delete;

  /// Maps the team, and takes its PUs from now on. If it is `movable`, it gets PUs that others use less.
  Mapping settle(const Machine& machine, bool movable, const MapTeam& map);
  /// Returns lines of the team's report on the other teams that there were, each with its line end; nothing
  /// if there were none and other processes were not asked.
  std::string report() const;

 private:
  friend struct LiveTeams;
  std::shared_ptr<TeamLife> life_;
  std::vector<int> pus_;     // os indices, by rank; empty: it has not settled
  int others_ = 0;           // number of teams that had settled before
  std::vector<int> shared_;  // PUs that these use too, os indices, ascending
  std::optional<HostTeams> host_;
  std::vector<HostTeam> on_host_;    // those that had settled before
  std::vector<int> shared_on_host_;  // PUs that these use too, as in shared_
};

}  // namespace vnode
