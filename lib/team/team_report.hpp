#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <vnode/model/cost.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/model/port_banks.hpp>
#include <vnode/model/profile.hpp>
#include <vnode/team.hpp>
#include <vnode/topology.hpp>

#include "settings/environment.hpp"
#include "watch/waiter.hpp"

namespace vnode {

class Arenas;
class Fabric;
class LiveTeam;
class NodePins;

/// Holds what a team's report is made from.
struct ReportedTeam {
  const Settings& settings;
  const Topology& topology;
  const Machine& machine;
  const std::vector<int>& maker;  ///< PUs that the thread that made the team may use, os indices
  const Mapping& mapping;
  bool by_threads;  ///< the mapping follows the threads that joined last
  const LiveTeam& live;
  const NodePins& pins;
  const Arenas* arenas;  ///< null: none
  const std::optional<PortBanks>& port_banks;
  WaitPolicy policy;
  const Fabric& fabric;
  const CostModel* costs;    ///< null: not measured yet
  const PairCosts* network;  ///< null: all nodes are on one machine
  std::size_t scratch_bytes;
  std::vector<OwnedMemory> memory;
};

/// Returns the text of Team::report.
std::string team_report(ReportedTeam team);

/// Holds what a team's report says of one node; a number is -1 if there is none.
struct NodePlace {
  Rank node = 0;
  int pu_asked = -1, pu_got = -1;  ///< os indices
  int numa = -1;                   ///< NUMA node of its PU: index into Machine::numas
  int home = -1;                   ///< bank near that: index into Machine::numas
  std::vector<OwnedMemory> memory;
};

/// Returns a table with a line for each node: PU asked and got, NUMA node, home bank, banks asked, where the
/// pages lie, and how many of them are not where they should be, all by the system's numbers. Below it
/// follows what was refused, each sentence once.
std::string placement_table(const Machine& machine, const std::vector<NodePlace>& nodes);

}  // namespace vnode
