#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <vnode/lab/machine.hpp>
#include <vnode/lab/placement.hpp>

#include "communicator/team_life.hpp"
#include "machine/host_teams.hpp"

namespace vnode {

/// Maps a team on the PUs of a machine that are allowed.
using MapTeam = std::function<Mapping(const Machine&)>;

/// The mapping of a team beside others: `uses[os_index]` of their nodes are pinned to a PU. As `map` maps it
/// on the whole machine, but on the cores, and of these on the PUs, that the fewest others use: as few as
/// leave the team as many cores, and nodes as few companions on their PU, as it would have alone.
Mapping mapping_beside(std::span<const int> uses, const Machine& machine, const MapTeam& map);

/// A team's place among those of the process that live at the same time: its PUs are shared out among them,
/// and among those of other processes if asked. In a child of fork() none of the parent's is left. Any
/// thread.
class LiveTeam {
 public:
  /// `share`: TeamOptions::share, which VNODE_SHARE has said if `by_variable`. Throws what HostTeams throws,
  /// and so does settle().
  LiveTeam(std::shared_ptr<TeamLife> life, const std::string& share, bool by_variable);
  ~LiveTeam();
  LiveTeam(const LiveTeam&) = delete;
  LiveTeam& operator=(const LiveTeam&) = delete;

  /// Maps the team, and takes its PUs from now on. `movable`: to PUs that others use less.
  Mapping settle(const Machine& machine, bool movable, const MapTeam& map);
  /// Lines of the team's report on the other teams that there were, each with its end; nothing if there were
  /// none, and other processes were not asked.
  std::string report() const;

 private:
  friend struct LiveTeams;
  std::shared_ptr<TeamLife> life_;
  std::vector<int> pus_;     // os indices, by rank; empty: it has not settled
  int others_ = 0;           // teams that had settled before
  std::vector<int> shared_;  // PUs that they use too, os indices, ascending
  std::optional<HostTeams> host_;
  std::vector<HostTeam> on_host_;    // that had settled before
  std::vector<int> shared_on_host_;  // as shared_
};

}  // namespace vnode
