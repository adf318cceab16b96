#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <vnode/lab/cost.hpp>
#include <vnode/lab/machine.hpp>
#include <vnode/lab/placement.hpp>
#include <vnode/lab/port_banks.hpp>
#include <vnode/lab/profile.hpp>
#include <vnode/team.hpp>
#include <vnode/topology.hpp>

#include "communicator/environment.hpp"
#include "runtime/waiter.hpp"

namespace vnode {

class Arenas;
class Fabric;
class LiveTeam;
class NodePins;

/// Why memory cannot lie near a node.
inline constexpr const char* near_no_bank = "nodes that are not pinned are near no bank";

/// What a team's report tells about.
struct ReportedTeam {
  const Settings& settings;
  const Topology& topology;
  const Machine& machine;
  const std::vector<int>& maker;  ///< what the thread that has made the team may use, os indices
  const Mapping& mapping;
  bool by_threads;  ///< they have it so that have joined last
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

/// Text for a person: see Team::report.
std::string team_report(ReportedTeam team);

/// What a team's report says of one node; -1 where there is none.
struct NodePlace {
  Rank node = 0;
  int pu_asked = -1, pu_got = -1;  ///< os indices
  int numa = -1;                   ///< of its PU: index into Machine::numas
  int home = -1;                   ///< the bank near that: the same
  std::vector<OwnedMemory> memory;
};

/// One table, a line for each node: PU asked and got, NUMA node, home bank, banks asked, where the pages lie,
/// and how many of them not where they should; all by the system's numbers. Below it what was refused, each
/// sentence once.
std::string placement_table(const Machine& machine, const std::vector<NodePlace>& nodes);

}  // namespace vnode
