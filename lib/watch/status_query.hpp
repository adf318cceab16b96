#pragma once

#include <algorithm>
#include <chrono>
#include <span>

#include "transport/endpoint.hpp"
#include "watch/wait_monitor.hpp"

namespace vnode {

/// Asks, in a wait that has become long, where the nodes of other processes are that it waits for, more
/// seldom each time; and, before the time limit is over, where all nodes are.
class StatusQuery {
 public:
  StatusQuery(Endpoint& endpoint, std::chrono::nanoseconds limit)
      : endpoint_(endpoint), all_at_(limit.count() > 0 ? limit / 2 : std::chrono::nanoseconds::max()) {}

  template <class Describe>
  void look(std::chrono::nanoseconds waited, Describe& awaited) {
    if (waited >= all_at_) {
      all_at_ = std::chrono::nanoseconds::max();
      const Context& world = endpoint_.fabric().world();
      endpoint_.remote()->inquire(world.nodes());
    }
    if (waited < next_) return;
    next_ += std::min<std::chrono::nanoseconds>(next_, std::chrono::milliseconds(500));
    const Awaited now = awaited();
    const Context* const several = now.group != nullptr ? now.group : now.senders;
    if (now.peer >= 0)
      endpoint_.remote()->inquire(std::span(&now.peer, 1));
    else if (several != nullptr)
      endpoint_.remote()->inquire(several->nodes());
  }

 private:
  Endpoint& endpoint_;
  std::chrono::nanoseconds all_at_, next_ = std::chrono::milliseconds(20);
};

}  // namespace vnode
