#pragma once

#include <string>
#include <vector>

#include <vnode/team.hpp>

namespace vnode {

/// What a team's report says of one node; PUs by os index, -1 where there is none.
struct NodePlace {
  Rank node = 0;
  int pu_asked = -1, pu_got = -1;
  int home = -1;  ///< the bank near its PU
  std::vector<OwnedMemory> memory;
};

/// One table, a line for each node: PU asked and got, NUMA node, banks asked, where the pages lie, and how
/// many of them not where they should. Below it what was refused, each sentence once.
std::string placement_table(const std::vector<NodePlace>& nodes);

}
