#pragma once

#include <span>
#include <vector>

namespace vnode {

/// Links that carry one message at a time, each with its queue. A message asks for several at once and gets
/// them together: when it is the first in all their queues. Asking is one after the other, so of two messages
/// that want two links the same one is first in both queues: nobody waits in a circle.
class LinkQueues {
 public:
  explicit LinkQueues(std::size_t messages) : behind_(messages) {}

  /// Whether the message has the links at once; otherwise it waits, and leave() will name it.
  bool enter(int message, std::span<const int> links);
  /// Releases the links that the message has; appends those messages to `next` that now have all of theirs.
  void leave(std::span<const int> links, std::vector<int>& next);

 private:
  struct Queue {
    std::vector<int> messages;  // the first has the link
    std::size_t first = 0;
  };

  std::vector<Queue> queues_;  // by link
  std::vector<int> behind_;    // by message: the links it waits for in whose queues it is not the first
};

}  // namespace vnode
