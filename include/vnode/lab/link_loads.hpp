#pragma once

#include <vector>

#include <vnode/model/schedule.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes the traffic of one round on the links of a topology.
struct RoundLoad {
  int messages = 0;  ///< messages on the directed link with the most messages
  int blocks = 0;    ///< blocks on the directed link with the most blocks
  int largest = 0;   ///< blocks of the largest message
  friend bool operator==(const RoundLoad&, const RoundLoad&) = default;
};
/// Returns one RoundLoad per round. Throws UsageError if the topology has another number of nodes or does not
/// have that routing.
std::vector<RoundLoad> link_loads(const Schedule& schedule, const Topology& topology, Routing routing);
/// Returns the greatest number of messages on one directed link in any round; 0 if nothing is sent.
int greatest_load(const std::vector<RoundLoad>& loads);
/// Returns the coefficient of t_w with congestion: a round takes as long as its largest message or its
/// busiest link. `message_blocks` blocks make m.
double scaled_words(const std::vector<RoundLoad>& loads, int message_blocks);

/// Describes the time for which one direction of a link carried messages.
struct LinkUse {
  int directed_link = 0;  ///< its number in the topology
  double seconds = 0;     ///< the sum over all messages
  friend bool operator==(const LinkUse&, const LinkUse&) = default;
};

}  // namespace vnode
#pragma GCC visibility pop
