#pragma once

#include <string>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/team.hpp>

namespace vnode {

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
