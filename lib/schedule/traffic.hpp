#pragma once

#include <algorithm>
#include <vector>

#include <vnode/model/cost.hpp>
#include <vnode/model/schedule.hpp>

#include "base/at.hpp"

namespace vnode {

/// Counts the messages and blocks of a round; or the sum of several rounds, which happen one after the
/// other.
struct Traffic {
  int rounds = 0;
  int messages = 0;   ///< all of them
  long largest = 0;   ///< blocks of the largest message
  long received = 0;  ///< by the node that receives most
  long combined = 0;  ///< by the node that combines most

  Traffic& operator+=(const Traffic& other);
  /// Returns what it costs where `message_blocks` blocks make m.
  Cost cost(int message_blocks) const;
};

inline Traffic& Traffic::operator+=(const Traffic& other) {
  rounds += other.rounds;
  messages += other.messages;
  largest += other.largest;
  received += other.received;
  combined += other.combined;
  return *this;
}

inline Cost Traffic::cost(int message_blocks) const {
  if (message_blocks == 0) return {double(rounds), 0, 0, 0};
  const double m = message_blocks;
  return {double(rounds), double(largest) / m, double(received) / m, double(combined) / m};
}

/// Returns the traffic of one round of `schedule`, whose messages() are given.
inline Traffic traffic(const Schedule& schedule, const Round& round, const std::vector<Transfer>& messages) {
  std::vector<long> received(static_cast<std::size_t>(schedule.nodes()));
  std::vector<long> combined(received);
  Traffic traffic{.rounds = 1};
  for (const Transfer& message : messages) {
    const long blocks = schedule.count(message.what);
    ++traffic.messages;
    traffic.largest = std::max(traffic.largest, blocks);
    at(received, message.to) += blocks;
  }
  for (const Transfer& transfer : round)
    if (transfer.effect != Effect::replace) at(combined, transfer.to) += schedule.count(transfer.into);
  traffic.received = std::ranges::max(received);
  traffic.combined = std::ranges::max(combined);
  return traffic;
}

}  // namespace vnode
