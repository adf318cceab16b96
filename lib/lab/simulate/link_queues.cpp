#include "simulate/link_queues.hpp"

#include <algorithm>

namespace vnode {

bool LinkQueues::enter(int message, std::span<const int> links) {
  int& behind = behind_[static_cast<std::size_t>(message)];
  for (const int link : links) {
    const auto number = static_cast<std::size_t>(link);
    if (number >= queues_.size()) queues_.resize(number + 1);
    Queue& queue = queues_[number];
    queue.messages.push_back(message);
    behind += queue.messages.size() - queue.first > 1;
  }
  return behind == 0;
}

void LinkQueues::leave(std::span<const int> links, std::vector<int>& next) {
  for (const int link : links) {
    Queue& queue = queues_[static_cast<std::size_t>(link)];
    if (++queue.first == queue.messages.size()) {
      queue.messages.clear();
      queue.first = 0;
      continue;
    }
    const int message = queue.messages[queue.first];
    if (--behind_[static_cast<std::size_t>(message)] == 0) next.push_back(message);
  }
}

}  // namespace vnode
