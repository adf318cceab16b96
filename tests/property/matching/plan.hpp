#pragma once

#include <cstdint>
#include <vector>

#include <vnode/vnode.hpp>

#include "reference.hpp"

namespace vnode_test {

/// Describes what a team's nodes send each other, phase by phase, and what they call together in between. Who
/// receives what how is decided while it runs.
struct Plan {
  std::uint64_t seed = 0;
  int kind = 0;  ///< of its team: 0 to kinds_of_teams - 1
  vnode::TeamOptions options{};
  int nodes = 1;
  /// By node: the color of the split that makes the other groups. A message's group: 0: of all; c + 1: of
  /// color c.
  std::vector<int> colors{};
  int tags = 1;
  std::vector<Sent> messages{};
  int phases = 1;
  std::vector<bool> together{};  ///< by phase: it ends with a collective of all, and one of each group

  /// The nodes of a group by rank.
  std::vector<int> members(int group) const {
    std::vector<int> list;
    for (int node = 0; node < nodes; ++node)
      if (group == 0 || colors[static_cast<std::size_t>(node)] == group - 1) list.push_back(node);
    return list;
  }
};

inline constexpr int kinds_of_teams = 8;
vnode::TeamOptions options_of(int kind);

Plan planned(std::uint64_t seed);

/// Runs it on a team like this; what a node saw that was wrong, or nothing.
std::string fault_in(const Plan& plan, vnode::Team& team);

}  // namespace vnode_test
