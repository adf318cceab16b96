#include "schedule/traffic.hpp"

namespace vnode {

Cost step_synchronous_cost(const Schedule& schedule, int message_blocks) {
  Traffic sum;
  for (const Round& round : schedule.rounds()) sum += traffic(schedule, round, messages(round));
  return sum.cost(message_blocks);
}

}  // namespace vnode
