#pragma once

#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include <vnode/lab/simulate.hpp>

#include "simulate/dependencies.hpp"
#include "simulate/flows.hpp"
#include "simulate/link_queues.hpp"
#include "simulate/links.hpp"
#include "simulate/message_times.hpp"
#include "simulate/port_order.hpp"

namespace vnode {

/// What became of a task.
struct Course {
  double start = 0;      ///< of a combining: the same as its departure
  double departure = 0;  ///< it has its links
  double end = 0;        ///< arrived, or combined
  int hold = -1;         ///< the last one that it met with: a number in EventDriven::holds(), or none
};

/// What held a task up, and for what that had been held up itself until then. A message may be held up again
/// after it has let others go: it does not have one cause, but one at a time. Numbers only fall along
/// `before`.
struct Hold {
  int task;        ///< the one that it waited for
  HeldBy held_by;  ///< with what
  int before;      ///< the last hold that had met with `task` when it let go, or -1
  double time;     ///< when it let go
};

/// Plays messages one by one, in the order of time. Events are: a message asks for links; it has passed them.
/// Whatever starts later follows from those. No time is before that of the event it follows from.
class EventDriven {
 public:
  EventDriven(const Dependencies& dependencies, const Volume& volume, const Interconnect& interconnect,
              const SimulationOptions& options, int nodes);

  /// To the end.
  void run();
  /// By task.
  const std::vector<Course>& courses() const { return courses_; }
  /// In the order in which they were found.
  const std::vector<Hold>& holds() const { return holds_; }
  const std::vector<NodeUse>& nodes() const { return nodes_; }
  /// By number.
  std::vector<LinkUse> links() const;

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

  void wait_for(int before, int after, Released released, HeldBy held_by);
  void begin(int task);
  void happen(int task, double now);
  void ask(int task, double now);
  void depart(int task, double now);
  void pass(int task, double now);
  void release(int task, Released released, double time);
  void satisfy(const Waiter& waiter, int before, double time);
  void hold(int task, int by, HeldBy with, double time);
  void combine();
  std::span<const int> links_of(const State& state) const;
  Stream stream(const Task& message) const;
  MessageTimes times(int task) const { return message_times(this->task(task), task, volume_, options_); }
  const Task& task(int number) const { return tasks_[static_cast<std::size_t>(number)]; }
  State& state(int task) { return states_[static_cast<std::size_t>(task)]; }
  Course& course(int task) { return courses_[static_cast<std::size_t>(task)]; }

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

}  // namespace vnode
