#include <algorithm>

#include <vnode/cost.hpp>
#include <vnode/schedule.hpp>

namespace vnode {

Cost step_synchronous_cost(const Schedule& schedule, int message_blocks) {
  long blocks = 0;
  for (const Round& round : schedule.rounds()) {
    int largest = 0;
    for (const Transfer& transfer : round) largest = std::max(largest, schedule.count(transfer.what));
    blocks += largest;
  }
  Cost cost;
  cost.startups = static_cast<double>(schedule.rounds().size());
  if (message_blocks > 0) cost.words = static_cast<double>(blocks) / message_blocks;
  return cost;
}

}  // namespace vnode
