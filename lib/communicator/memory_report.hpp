#pragma once

#include <string>
#include <vector>

#include <vnode/lab/machine.hpp>
#include <vnode/team.hpp>

namespace vnode {

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

}
