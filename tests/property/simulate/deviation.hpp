#pragma once

#include <set>
#include <string>

#include <vnode/lab/simulate.hpp>
#include <vnode/lab/step_synchronous.hpp>

namespace vnode {

/// Why messages that start as soon as they can do not take the step-synchronous time. docs/simulation.md has
/// the list, with an example of each.
enum class Reason {
  round_skipped,  ///< no message of a round is in the chain that decides: shorter
  smaller_part,   ///< its message there is not the round's largest, or less is combined than elsewhere:
                  ///< shorter
  shared_port,    ///< several messages of a round pass one port, one after the other: longer
  shared_link,    ///< several messages of a round meet on a link: longer
  rounds_meet,    ///< messages of different rounds meet on a link: longer, but for the start-up that overlaps
};

/// Adds up the critical path round by round, and compares with the rounds. Whatever is not the same must have
/// one of the reasons.
struct Deviation {
  double seconds = 0;        ///< the simulation's, less the uncongested step-synchronous time
  std::set<Reason> reasons;  ///< of all rounds that differ
  std::string unexplained;   ///< what has no reason; empty: everything has one
};
/// `steps` is of the same schedule and costs as `simulation`, by Hockney's model without hops or noise.
Deviation deviation(const Simulation& simulation, const StepSynchronous& steps, const Volume& volume,
                    const Hockney& costs, double t_op = 0);

}  // namespace vnode
