#include <algorithm>
#include <vector>

#include <vnode/cost.hpp>
#include <vnode/schedule.hpp>

namespace vnode {

Cost step_synchronous_cost(const Schedule& schedule, int message_blocks) {
  Cost cost;
  cost.startups = static_cast<double>(schedule.rounds().size());
  if (message_blocks == 0) return cost;
  const auto nodes = static_cast<std::size_t>(schedule.nodes());
  std::vector<long> received(nodes), combined(nodes);
  long words = 0, most_received = 0, most_combined = 0;
  for (const Round& round : schedule.rounds()) {
    std::ranges::fill(received, 0);
    std::ranges::fill(combined, 0);
    long largest = 0;
    for (const Transfer& message : messages(round)) {
      const long blocks = schedule.count(message.what);
      largest = std::max(largest, blocks);
      received[static_cast<std::size_t>(message.to)] += blocks;
    }
    for (const Transfer& transfer : round)
      if (transfer.effect != Effect::replace)
        combined[static_cast<std::size_t>(transfer.to)] += schedule.count(transfer.into);
    words += largest;
    most_received += std::ranges::max(received);
    most_combined += std::ranges::max(combined);
  }
  cost.words = static_cast<double>(words) / message_blocks;
  cost.received = static_cast<double>(most_received) / message_blocks;
  cost.combined = static_cast<double>(most_combined) / message_blocks;
  return cost;
}

}  // namespace vnode
