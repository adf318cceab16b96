#pragma once

#include <vector>

#include <vnode/cost.hpp>
#include <vnode/schedule.hpp>

namespace vnode {

/// What a round amounts to, in messages and blocks; or the sum of several rounds, which happen one after the
/// other.
struct Traffic {
  int rounds = 0;
  int messages = 0;   ///< all of them
  long largest = 0;   ///< blocks of the largest message
  long received = 0;  ///< by the node that receives most
  long combined = 0;  ///< by the node that combines most

  Traffic& operator+=(const Traffic& other);
  /// What it costs where `message_blocks` blocks make m.
  Cost cost(int message_blocks) const;
};

/// The traffic of one round of `schedule`, whose messages() are given.
Traffic traffic(const Schedule& schedule, const Round& round, const std::vector<Transfer>& messages);

}  // namespace vnode
