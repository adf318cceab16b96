#pragma once

#include <vnode/lab/interconnect.hpp>
#include <vnode/lab/simulate.hpp>

#include "simulate/dependencies.hpp"

namespace vnode {

/// Holds the seconds that a message's parts take.
struct MessageTimes {
  double start_up = 0;  ///< from its start until it asks for its links
  double bytes = 0;     ///< that it keeps its links for, at
  double pace = 0;      ///< so many seconds each
  double tail = 0;      ///< from its last byte's departure to its end, hops not counted
  double gap = 0;       ///< its ports are taken so much longer than its links
};

/// Returns the times of message number `task` under the costs and the noise of `options`.
MessageTimes message_times(const Task& message, int task, const Volume& volume,
                           const SimulationOptions& options);

/// Throws UsageError if a number of the options is negative or not finite, or a combination has no meaning.
void check(const SimulationOptions& options, int nodes);

}  // namespace vnode
