#pragma once

#include <string>

#include <vnode/lab/interconnect.hpp>
#include <vnode/lab/schedule.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// The schedule in GOAL, the text form that LogGOPSim's compiler reads: for each rank what it sends and
/// receives, what it computes (calc, nanoseconds: combining at `t_op` seconds per byte), and what requires
/// what. A message's tag is its number in the schedule; a send requires whatever brought or combined the data
/// it reads, and nothing else, so that its place in a round is left to the simulator. Bytes are rounded.
/// UsageError as simulate's.
std::string to_goal(const Schedule& schedule, const Volume& volume, double t_op = 0);

}  // namespace vnode
#pragma GCC visibility pop
