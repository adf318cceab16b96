#pragma once

#include <vector>

#include <vnode/lab/simulate.hpp>

#include "simulate/dependencies.hpp"

namespace vnode {

/// Says what became of a task.
struct Course {
  double start = 0;      ///< of a combining: the same as its departure
  double departure = 0;  ///< it has its links
  double end = 0;        ///< arrived, or combined
  int hold = -1;         ///< the last one that it met with: a number in Played::holds, or none
};

/// Says what held a task up, and what had held that up itself until then. A message may be held up again
/// after it has let others go: it does not have one cause, but one at a time. Numbers only fall along
/// `before`.
struct Hold {
  int task;        ///< the one that it waited for
  HeldBy held_by;  ///< with what
  int before;      ///< the last hold that had met with `task` when it let go, or -1
  double time;     ///< when it let go
};

/// Holds the result of playing the messages of a schedule.
struct Played {
  std::vector<Course> courses = {};  ///< by task
  std::vector<Hold> holds = {};      ///< in the order in which they were found
  std::vector<NodeUse> nodes = {};
  std::vector<LinkUse> links = {};  ///< by number
};

/// Plays messages one by one, in the order of time.
Played played(const Dependencies& dependencies, const Volume& volume, const Interconnect& interconnect,
              const SimulationOptions& options, int nodes);

}  // namespace vnode
