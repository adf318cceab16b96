#pragma once

#include <string>

#include <vnode/lab/interconnect.hpp>
#include <vnode/model/schedule.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Returns the schedule in GOAL, the text form that LogGOPSim's compiler reads: for each rank its sends and
/// receives, its computations (calc, in nanoseconds, for combining at `t_op` seconds per byte), and their
/// dependencies. A message's tag is its number in the schedule. A send requires only the receives and
/// combines of the data it reads, so that the simulator decides when within a round it happens. Bytes are
/// rounded. Throws what simulate() throws.
std::string to_goal(const Schedule& schedule, const Volume& volume, double t_op = 0);

}  // namespace vnode
#pragma GCC visibility pop
