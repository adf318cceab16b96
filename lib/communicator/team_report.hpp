#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <vnode/lab/cost.hpp>
#include <vnode/lab/machine.hpp>
#include <vnode/lab/placement.hpp>
#include <vnode/lab/port_banks.hpp>
#include <vnode/team.hpp>
#include <vnode/topology.hpp>

#include "communicator/arenas.hpp"
#include "communicator/environment.hpp"
#include "communicator/live_teams.hpp"
#include "communicator/node_pins.hpp"
#include "runtime/fabric.hpp"
#include "runtime/waiter.hpp"

namespace vnode {

/// Why memory cannot lie near a node.
inline constexpr const char* near_no_bank = "nodes that are not pinned are near no bank";

/// What a team's report tells about.
struct ReportedTeam {
  const Settings& settings;
  const Topology& topology;
  const Machine& machine;
  const Mapping& mapping;
  const LiveTeam& live;
  const NodePins& pins;
  const Arenas* arenas;  ///< null: none
  const std::optional<PortBanks>& port_banks;
  WaitPolicy policy;
  const Fabric& fabric;
  const CostModel* costs;  ///< null: not measured yet
  std::size_t scratch_bytes;
  std::vector<OwnedMemory> memory;
};

/// Text for a person: see Team::report.
std::string team_report(ReportedTeam team);

}  // namespace vnode
