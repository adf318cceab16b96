#pragma once

#include <vector>

#include <vnode/lab/interconnect.hpp>
#include <vnode/lab/link_loads.hpp>
#include <vnode/model/message_costs.hpp>
#include <vnode/model/schedule.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes the time of a round at whose end all nodes wait for each other.
struct RoundTime {
  RoundLoad load;          ///< load of its busiest links
  int busiest_link = -1;   ///< the directed link with the most blocks; -1 if nothing is sent
  double uncongested = 0;  ///< seconds: t_s, t_w for the largest message, t_op for the busiest node
  double scaled = 0;       ///< the same with t_w for the bytes on the busiest link, if these are more
};

/// Describes the traffic of one direction of a link in all rounds.
struct LinkTraffic {
  int directed_link = 0;  ///< its number in the topology; under Duplex::half the even one stands for both
  long messages = 0;      ///< messages in all rounds
  double bytes = 0;       ///< bytes in all rounds
  int load = 0;           ///< most messages in one round
};

/// Describes the time of a schedule if no node begins a round before all have ended the one before.
struct StepSynchronous {
  double uncongested = 0;          ///< seconds, as if no two messages met on a link
  double scaled = 0;               ///< seconds, with the t_w term of every round scaled by congestion
  int load = 0;                    ///< the greatest of any link in any round
  std::vector<RoundTime> rounds;   ///< in their order
  std::vector<LinkTraffic> links;  ///< the links that carried something, by number
};

/// Returns the time as textbooks count it: T = the sum over the rounds of t_s + t_w * the largest message, or
/// the bytes on the busiest link (docs/simulation.md). Throws UsageError if the topology has another number
/// of nodes or does not have that routing. O(links of all paths).
StepSynchronous step_synchronous(const Schedule& schedule, const Volume& volume,
                                 const Interconnect& interconnect, const Hockney& costs, double t_op = 0);

}  // namespace vnode
#pragma GCC visibility pop
