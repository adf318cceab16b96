#include "simulate/event_driven.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <queue>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <vnode/lab/simulate.hpp>

#include "base/at.hpp"
#include "interconnect/bank_condition.hpp"
#include "simulate/dependencies.hpp"
#include "simulate/flows.hpp"
#include "simulate/links.hpp"
#include "simulate/message_times.hpp"

namespace vnode {
namespace {

/// Holds links that carry one message at a time, each with its queue. A message asks for several at once and
/// gets them together: when it is the first in all their queues. Asking is one after the other, so of two
/// messages that want two links the same one is first in both queues: nobody waits in a circle.
class LinkQueues {
 public:
  explicit LinkQueues(std::size_t messages) : behind_(messages) {}

  /// Tells whether the message gets the links at once; otherwise it waits, and leave() will name it.
  bool enter(int message, std::span<const int> links) {
    int& behind = at(behind_, message);
    for (const int link : links) {
      const auto number = static_cast<std::size_t>(link);
      if (number >= queues_.size()) queues_.resize(number + 1);
      Queue& queue = queues_[number];
      queue.messages.push_back(message);
      behind += queue.messages.size() - queue.first > 1;
    }
    return behind == 0;
  }
  /// Releases the links that the message has; appends those messages to `next` that now have all of theirs.
  void leave(std::span<const int> links, std::vector<int>& next) {
    for (const int link : links) {
      Queue& queue = at(queues_, link);
      if (++queue.first == queue.messages.size()) {
        queue.messages.clear();
        queue.first = 0;
        continue;
      }
      const int message = queue.messages[queue.first];
      if (--at(behind_, message) == 0) next.push_back(message);
    }
  }

 private:
  struct Queue {
    std::vector<int> messages;  // the first has the link
    std::size_t first = 0;
  };

  std::vector<Queue> queues_;  // by link
  std::vector<int> behind_;    // by message: the links it waits for in whose queues it is not the first
};

/// Says what a message lets go when it no longer needs it.
enum class Released : std::uint8_t {
  sender_port,    ///< its sender's
  receiver_port,  ///< its receiver's
  data,           ///< what it has brought, or a combining has made
};

/// Says that `after` cannot start before `before` has released something.
struct Precedence {
  int before, after;
  Released released;
  HeldBy held_by;  ///< what it is for `after`
};

// Knows the last task at each port.
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

/// Returns the order in which ports serve messages, and nodes combine, which is that of the schedule. A
/// single port belongs to a node; otherwise every link has a port at either end, and a message uses those of
/// the first and the last link of its way. On several machines a node has a port for each other node of its
/// machine and one for the network. With Duplex::half, one port serves both what comes and what goes.
std::vector<Precedence> port_order(const std::vector<Task>& tasks, const Interconnect& interconnect,
                                   Ports ports) {
  std::vector<Precedence> order;
  Ends out, in, combinings;
  Ends& back = interconnect.duplex == Duplex::half ? out : in;
  std::vector<int> way;
  for (int task = 0; task < static_cast<int>(tasks.size()); ++task) {
    const Task& message = at(tasks, task);
    if (message.combines()) {
      combinings.pass(message.to, task, Released::data, HeldBy::data, order);
      continue;
    }
    std::int64_t sends = message.from, receives = message.to;
    if (ports == Ports::all && interconnect.machines > 1) {
      const bool near = interconnect.machine_of(message.from) == interconnect.machine_of(message.to);
      const auto port = [&](std::int64_t node, Rank peer) {
        return node * (interconnect.topology.nodes() + 1) + (near ? 1 + peer : 0);
      };
      sends = port(message.from, message.to);
      receives = port(message.to, message.from);
    } else if (ports == Ports::all) {
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

/// Plays messages one by one, in the order of time. Events are: a message asks for links; it has passed them.
/// Whatever starts later follows from those. No time is before that of the event it follows from.
class EventDriven {
 public:
  EventDriven(const Dependencies& dependencies, const Volume& volume, const Interconnect& interconnect,
              const SimulationOptions& options, int nodes)
      : tasks_(dependencies.tasks()),
        volume_(volume),
        interconnect_(interconnect),
        options_(options),
        links_(interconnect),
        queues_(tasks_.size()),
        states_(tasks_.size()),
        courses_(tasks_.size()),
        nodes_(static_cast<std::size_t>(nodes)) {
    if (options.memory) flows_.emplace(*options.memory);
    for (const Dependencies::Requirement& r : dependencies.requirements())
      wait_for(r.before, r.after, Released::data, HeldBy::data);
    for (const Precedence& p : port_order(tasks_, interconnect, options.ports))
      wait_for(p.before, p.after, p.released, p.held_by);
  }

  Played result() && { return {std::move(courses_), std::move(holds_), std::move(nodes_), links()}; }
  /// Plays to the end.
  void run() {
    for (int task = 0; task < static_cast<int>(tasks_.size()); ++task)
      if (state(task).missing == 0) begin(task);
    constexpr double never = std::numeric_limits<double>::infinity();
    double now = 0;
    while (true) {
      const double asked = events_.empty() ? never : events_.top().first;
      // What begins now changes the rates of what is under way: all of it first.
      const double ended = flows_ && asked > now ? flows_->next() : never;
      if (asked == never && ended == never) return;
      now = std::min(asked, ended);
      if (ended < asked) {
        for (const int task : flows_->end()) pass(task, now);
      } else {
        const int task = events_.top().second;
        events_.pop();
        happen(task, now);
      }
      combine();
    }
  }

 private:
  struct Waiter {
    int task;
    int next;  // in waiters_, or -1
    Released released;
    HeldBy held_by;
  };
  // What has to happen, and what happens, to a message.
  struct State {
    int missing = 0;     // releases it still waits for
    int waiters = -1;    // first of the list of those who wait for it
    int passed = 0;      // links, one after the other
    bool holds = false;  // it has links
    double since = 0;    // it has them, or asks for them
    std::vector<int> way = {};
  };
  using Event = std::pair<double, int>;  // time, task

  void wait_for(int before, int after, Released released, HeldBy held_by) {
    waiters_.push_back(
        {after, std::exchange(state(before).waiters, static_cast<int>(waiters_.size())), released, held_by});
    ++state(after).missing;
  }
  // All it waits for is there.
  void begin(int task) {
    if (this->task(task).combines())
      ready_.push_back(task);
    else
      events_.emplace(course(task).start + times(task).start_up, task);
  }
  void happen(int task, double now) {
    if (state(task).holds)
      pass(task, now);
    else
      ask(task, now);
  }
  void ask(int task, double now) {
    State& asking = state(task);
    if (asking.way.empty()) {
      const std::span<const int> way = links_.way(this->task(task).from, this->task(task).to);
      asking.way.assign(way.begin(), way.end());
      held_.resize(links_.size());
    }
    asking.since = now;
    if (queues_.enter(task, links_of(asking))) depart(task, now);
  }
  void depart(int task, double now) {
    State& departing = state(task);
    departing.holds = true;
    departing.since = now;
    const MessageTimes t = times(task);
    if (departing.passed == 0) course(task).departure = now;
    if (flows_)
      flows_->begin(task, now, t.bytes, t.pace, stream(this->task(task)));
    else
      events_.emplace(now + t.bytes * t.pace, task);
  }
  // Its last byte has left the first of the links it holds.
  void pass(int task, double now) {
    State& passing = state(task);
    const Task& message = this->task(task);
    const MessageTimes t = times(task);
    for (const int link : links_of(passing)) at(held_, link) += now - passing.since;
    freed_.clear();
    queues_.leave(links_of(passing), freed_);
    const bool first = passing.passed == 0;
    passing.passed += static_cast<int>(links_of(passing).size());
    passing.holds = false;
    const auto hops = static_cast<double>(passing.way.size());
    if (first) {
      at(nodes_, message.from).send += now + t.gap - course(task).start;
      release(task, Released::sender_port, now + t.gap);
    }
    if (passing.passed < static_cast<int>(passing.way.size())) {
      events_.emplace(now + options_.hop, task);
    } else {
      at(nodes_, message.to).receive += now + t.gap - course(task).start;
      const bool one_by_one = options_.switching == Switching::store_and_forward;
      course(task).end = now + options_.hop * (one_by_one ? 1 : hops) + t.tail;
      release(task, Released::receiver_port, now + t.gap);
      release(task, Released::data, course(task).end);
      passing.way = {};
    }
    for (const int next : freed_) {
      if (now > state(next).since) hold(next, task, HeldBy::link, now);
      depart(next, now);
    }
  }
  void release(int task, Released released, double time) {
    for (int i = state(task).waiters; i >= 0; i = at(waiters_, i).next)
      if (const Waiter& waiter = at(waiters_, i); waiter.released == released) satisfy(waiter, task, time);
  }
  void satisfy(const Waiter& waiter, int before, double time) {
    Course& waiting = course(waiter.task);
    const bool first = waiting.hold < 0;
    const bool same = time == waiting.start && (first || waiter.held_by < at(holds_, waiting.hold).held_by);
    if (time > waiting.start || same) {
      waiting.start = time;
      hold(waiter.task, before, waiter.held_by, time);
    }
    if (--state(waiter.task).missing == 0) begin(waiter.task);
  }
  void hold(int task, int by, HeldBy with, double time) {
    holds_.push_back({by, with, course(by).hold, time});
    course(task).hold = static_cast<int>(holds_.size()) - 1;
  }
  // Combining takes no port and no link, so that its end is known when it starts; one may lead to the
  // next.
  void combine() {
    while (!ready_.empty()) {
      const int task = ready_.back();
      ready_.pop_back();
      Course& combining = course(task);
      combining.departure = combining.start;
      const Task& done = this->task(task);
      combining.end =
          combining.start + options_.t_op * (volume_.of(done.blocks) - volume_.of(done.shared) / 2);
      release(task, Released::data, combining.end);
    }
  }
  // The links it takes at a time.
  std::span<const int> links_of(const State& state) const {
    if (options_.switching == Switching::cut_through) return state.way;
    return std::span(state.way).subspan(static_cast<std::size_t>(state.passed), state.way.empty() ? 0 : 1);
  }
  Stream stream(const Task& message) const {
    const MemoryBanks& memory = *options_.memory;
    const PortEnds ends = port_ends(interconnect_, message.from, message.to);
    return {bank_of(memory, ends.out), memory.home(message.to), bank_of(memory, ends.in)};
  }
  std::vector<LinkUse> links() const {
    std::vector<LinkUse> uses;
    for (std::size_t link = 0; link < held_.size(); ++link)
      uses.push_back({links_.directed_link(link), held_[link]});
    std::ranges::sort(uses, {}, &LinkUse::directed_link);
    return uses;
  }
  MessageTimes times(int task) const { return message_times(this->task(task), task, volume_, options_); }
  const Task& task(int number) const { return at(tasks_, number); }
  State& state(int task) { return at(states_, task); }
  Course& course(int task) { return at(courses_, task); }

  const std::vector<Task>& tasks_;
  Volume volume_;
  Interconnect interconnect_;
  const SimulationOptions& options_;
  Links links_;
  LinkQueues queues_;
  std::optional<Flows> flows_;
  std::vector<State> states_;
  std::vector<Course> courses_;
  std::vector<Waiter> waiters_;
  std::vector<Hold> holds_;
  std::vector<NodeUse> nodes_;
  std::vector<double> held_;  // seconds, by link
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<int> ready_;  // combinings whose operands are all there
  std::vector<int> freed_;  // messages that have got their links
};

}  // namespace

Played played(const Dependencies& dependencies, const Volume& volume, const Interconnect& interconnect,
              const SimulationOptions& options, int nodes) {
  EventDriven play(dependencies, volume, interconnect, options, nodes);
  play.run();
  return std::move(play).result();
}

}  // namespace vnode
