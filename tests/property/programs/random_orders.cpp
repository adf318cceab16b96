#include <algorithm>

#include "generate.hpp"

namespace vnode_test {
namespace {

using Kind = Event::Kind;

/// Is a node's part in an operation.
struct Part {
  int node = 0;
  bool receives = false;
  Form form = Form::blocking;
};

std::vector<Part> parts_of(const Program& program, const Operation& operation) {
  const std::vector<int>& nodes = program.groups[static_cast<std::size_t>(operation.group)].nodes;
  const auto node = [&](int rank) { return nodes[static_cast<std::size_t>(rank)]; };
  if (operation.kind == Operation::Kind::message)
    return {{node(operation.from), false, operation.forms[0]},
            {node(operation.to), true, operation.forms[1]}};
  std::vector<Part> parts;
  for (std::size_t rank = 0; rank < nodes.size(); ++rank)
    parts.push_back({nodes[rank], false, operation.forms[rank]});
  return parts;
}

class Orders {
 public:
  Orders(Random& random, const Program& program) : random_(random), program_(program) {
    const auto nodes = static_cast<std::size_t>(program.nodes());
    orders_.resize(nodes);
    in_flight_.resize(nodes);
  }

  std::vector<std::vector<Event>> made() {
    for (std::size_t number = 0; number < program_.operations.size(); ++number) add(static_cast<int>(number));
    for (std::size_t node = 0; node < orders_.size(); ++node) {
      while (!in_flight_[node].empty()) finish(node, random_.below(in_flight_[node].size()));
      forget_groups(orders_[node]);
      hurry(orders_[node]);
    }
    return std::move(orders_);
  }

 private:
  const Operation& operation(const Event& event) const {
    return program_.operations[static_cast<std::size_t>(event.operation)];
  }

  /// Everybody starts it, or makes the blocking call; then perhaps completes something.
  void add(int number) {
    const std::vector<Part> parts = parts_of(program_, program_.operations[static_cast<std::size_t>(number)]);
    for (const Part& part : parts) {
      const auto node = static_cast<std::size_t>(part.node);
      const Event event{part.form == Form::blocking ? Kind::call : Kind::start, number, part.receives};
      if (part.form == Form::persistent) finish_chain(node, event);
      orders_[node].push_back(event);
      if (part.form != Form::blocking) in_flight_[node].push_back(event);
    }
    for (const Part& part : parts) {
      const auto node = static_cast<std::size_t>(part.node);
      while (!in_flight_[node].empty() && random_.one_in(5))
        finish(node, random_.below(in_flight_[node].size()));
    }
  }

  void finish(std::size_t node, std::size_t which) {
    Event event = in_flight_[node][which];
    in_flight_[node].erase(in_flight_[node].begin() + static_cast<std::ptrdiff_t>(which));
    event.kind = Kind::finish;
    event.ending = random_.one_of({Ending::wait, Ending::test, Ending::destroy, Ending::together});
    orders_[node].push_back(event);
  }

  /// The operation whose plan it uses.
  int plan(const Event& event) const {
    return operation(event).again < 0 ? event.operation : operation(event).again;
  }
  /// A persistent call is complete before it is started once more.
  void finish_chain(std::size_t node, const Event& start) {
    for (std::size_t i = 0; i < in_flight_[node].size(); ++i)
      if (plan(in_flight_[node][i]) == plan(start)) return finish(node, i);
  }

  /// Groups end when the node makes no more calls in them, even if some are in flight.
  void forget_groups(std::vector<Event>& order) {
    for (int group = 1; group < static_cast<int>(program_.groups.size()); ++group) {
      const auto last = std::find_if(order.rbegin(), order.rend(), [&](const Event& event) {
        return event.kind != Kind::forget && event.kind != Kind::finish && operation(event).group == group;
      });
      if (last == order.rend() || random_.one_in(2)) continue;
      const auto first = static_cast<std::size_t>(order.rend() - last);
      const std::size_t at = first + random_.below(order.size() - first + 1);
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(at), Event{Kind::forget, group});
    }
  }

  /// Starts move towards the front, one past the other or past calls and waits: nobody waits longer for that.
  void hurry(std::vector<Event>& order) {
    if (order.size() < 2) return;
    for (std::size_t i = 0; i < 4 * order.size(); ++i) {
      const std::size_t at = random_.below(order.size() - 1);
      if (may_overtake(order[at + 1], order[at])) std::swap(order[at], order[at + 1]);
    }
  }
  bool may_overtake(const Event& late, const Event& early) const {
    if (late.kind != Kind::start) return false;
    if (early.kind == Kind::forget) return true;
    const Operation &a = operation(early), &b = operation(late);
    if (plan(early) == plan(late)) return a.kind == Operation::Kind::message && early.kind == Kind::start;
    if (std::ranges::find(a.parts, b.group) != a.parts.end()) return false;  // it makes the group
    if (early.kind == Kind::finish) return true;
    const bool messages = a.kind == Operation::Kind::message && b.kind == Operation::Kind::message;
    if (messages)  // those of one lane keep their order
      return a.group != b.group || a.tag != b.tag || a.from != b.from || a.to != b.to;
    return a.kind == Operation::Kind::message || b.kind == Operation::Kind::message || a.group != b.group;
  }

  Random& random_;
  const Program& program_;
  std::vector<std::vector<Event>> orders_;     // by node
  std::vector<std::vector<Event>> in_flight_;  // by node: what it has started
};

}

std::vector<std::vector<Event>> random_orders(Random& random, const Program& program) {
  return Orders(random, program).made();
}

}
