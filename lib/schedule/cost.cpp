#include <algorithm>
#include <vector>

#include "schedule/traffic.hpp"

namespace vnode {

Traffic& Traffic::operator+=(const Traffic& other) {
  rounds += other.rounds;
  messages += other.messages;
  largest += other.largest;
  received += other.received;
  combined += other.combined;
  return *this;
}

Cost Traffic::cost(int message_blocks) const {
  if (message_blocks == 0) return {double(rounds), 0, 0, 0};
  const double m = message_blocks;
  return {double(rounds), double(largest) / m, double(received) / m, double(combined) / m};
}

Traffic traffic(const Schedule& schedule, const Round& round, const std::vector<Transfer>& messages) {
  std::vector<long> received(static_cast<std::size_t>(schedule.nodes()));
  std::vector<long> combined(received);
  Traffic traffic{.rounds = 1};
  for (const Transfer& message : messages) {
    const long blocks = schedule.count(message.what);
    ++traffic.messages;
    traffic.largest = std::max(traffic.largest, blocks);
    received[static_cast<std::size_t>(message.to)] += blocks;
  }
  for (const Transfer& transfer : round)
    if (transfer.effect != Effect::replace)
      combined[static_cast<std::size_t>(transfer.to)] += schedule.count(transfer.into);
  traffic.received = std::ranges::max(received);
  traffic.combined = std::ranges::max(combined);
  return traffic;
}

Cost step_synchronous_cost(const Schedule& schedule, int message_blocks) {
  Traffic sum;
  for (const Round& round : schedule.rounds()) sum += traffic(schedule, round, messages(round));
  return sum.cost(message_blocks);
}

}  // namespace vnode
