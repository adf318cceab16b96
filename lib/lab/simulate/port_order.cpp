#include "simulate/port_order.hpp"

#include <unordered_map>

namespace vnode {

namespace {

// Who was the last at each port.
class Ends {
 public:
  // Puts `task` behind the last one at the port, and is told by `released` when it goes.
  void pass(std::int64_t port, int task, Released released, HeldBy held_by, std::vector<Precedence>& order) {
    const auto [last, first] = last_.try_emplace(port, Last{task, released});
    if (first) return;
    order.push_back({last->second.task, task, last->second.released, held_by});
    last->second = {task, released};
  }

 private:
  struct Last {
    int task;
    Released released;
  };
  std::unordered_map<std::int64_t, Last> last_;
};

}  // namespace

std::vector<Precedence> port_order(const std::vector<Task>& tasks, const Interconnect& interconnect,
                                   Ports ports) {
  std::vector<Precedence> order;
  Ends out, in, combinings;
  Ends& back = interconnect.duplex == Duplex::half ? out : in;
  std::vector<int> way;
  for (int task = 0; task < static_cast<int>(tasks.size()); ++task) {
    const Task& message = tasks[static_cast<std::size_t>(task)];
    if (message.combines()) {
      combinings.pass(message.to, task, Released::data, HeldBy::data, order);
      continue;
    }
    std::int64_t sends = message.from, receives = message.to;
    if (ports == Ports::all) {
      way.clear();
      interconnect.topology.append_route(message.from, message.to, interconnect.routing, way);
      sends = way.front();
      receives = way.back() ^ 1;  // by the same port the receiver would send
    }
    out.pass(sends, task, Released::sender_port, HeldBy::sender_port, order);
    back.pass(receives, task, Released::receiver_port, HeldBy::receiver_port, order);
  }
  return order;
}

}  // namespace vnode
