#pragma once

#include <vector>

#include <vnode/lab/interconnect.hpp>
#include <vnode/lab/link_loads.hpp>
#include <vnode/lab/message_costs.hpp>
#include <vnode/lab/schedule.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// A round of which everybody waits for the end.
struct RoundTime {
  RoundLoad load;          ///< on its busiest link
  int busiest_link = -1;   ///< number of the directed link that most blocks cross; -1 if nothing is sent
  double uncongested = 0;  ///< seconds: t_s, t_w for the largest message, t_op for who combines most
  double scaled = 0;       ///< the same, with t_w for what crosses the busiest link, if that is more
};

/// What crossed one direction of a link in all rounds.
struct LinkTraffic {
  int directed_link = 0;  ///< its number in the topology; under Duplex::half the even one stands for both
  long messages = 0;      ///< of all rounds
  double bytes = 0;       ///< of all rounds
  int load = 0;           ///< messages of one round, at most
};

/// What a schedule takes if nobody begins a round before all have ended the one before.
struct StepSynchronous {
  double uncongested = 0;          ///< seconds, as if no two messages met on a link
  double scaled = 0;               ///< seconds, with the t_w term of every round scaled by congestion
  int load = 0;                    ///< the greatest of any link in any round
  std::vector<RoundTime> rounds;   ///< in their order
  std::vector<LinkTraffic> links;  ///< those that carried something, by number
};

/// Counts as textbooks do: T = the sum over the rounds of t_s + t_w * the largest message, or
/// the bytes on the busiest link (docs/simulation.md). UsageError if the topology has another number of nodes
/// or not that routing. O(links of all ways).
StepSynchronous step_synchronous(const Schedule& schedule, const Volume& volume,
                                 const Interconnect& interconnect, const Hockney& costs, double t_op = 0);

}  // namespace vnode
#pragma GCC visibility pop
