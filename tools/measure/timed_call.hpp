#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <vnode/node.hpp>

namespace vnode {

/// A call on one node, in nanoseconds of the steady clock.
struct CallStamp {
  std::int64_t deadline, entry, exit;
};

/// Makes a planned call that all nodes of a team make. Where each has a core of its own they start at one
/// moment, the deadline; elsewhere when they have met.
CallStamp timed_call(Node& me, Persistent& call, bool core_each);

/// How long calls took, from the first node's entry to the last one's exit.
struct CallTimes {
  std::vector<double> seconds;  ///< of those that count: of all, if every one was late
  std::size_t calls = 0;        ///< all of them
  std::size_t late = 0;         ///< that some node entered more than 0.2 us after the deadline
};
/// From every rank's stamps of the same calls.
CallTimes call_times(const std::vector<std::vector<CallStamp>>& by_rank, bool core_each);

}  // namespace vnode
