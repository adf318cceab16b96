#include "simulate/event_driven.hpp"

#include <algorithm>
#include <limits>

#include "interconnect/port_ends.hpp"

namespace vnode {

EventDriven::EventDriven(const Dependencies& dependencies, const Volume& volume,
                         const Interconnect& interconnect, const SimulationOptions& options, int nodes)
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

void EventDriven::wait_for(int before, int after, Released released, HeldBy held_by) {
  waiters_.push_back(
      {after, std::exchange(state(before).waiters, static_cast<int>(waiters_.size())), released, held_by});
  ++state(after).missing;
}

void EventDriven::run() {
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

// All it waits for is there.
void EventDriven::begin(int task) {
  if (this->task(task).combines())
    ready_.push_back(task);
  else
    events_.emplace(course(task).start + times(task).start_up, task);
}

void EventDriven::happen(int task, double now) {
  if (state(task).holds)
    pass(task, now);
  else
    ask(task, now);
}

void EventDriven::ask(int task, double now) {
  State& asking = state(task);
  if (asking.way.empty()) {
    const std::span<const int> way = links_.way(this->task(task).from, this->task(task).to);
    asking.way.assign(way.begin(), way.end());
    held_.resize(links_.size());
  }
  asking.since = now;
  if (queues_.enter(task, links_of(asking))) depart(task, now);
}

// The links it takes at a time.
std::span<const int> EventDriven::links_of(const State& state) const {
  if (options_.switching == Switching::cut_through) return state.way;
  return std::span(state.way).subspan(static_cast<std::size_t>(state.passed), 1);
}

void EventDriven::depart(int task, double now) {
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
void EventDriven::pass(int task, double now) {
  State& passing = state(task);
  const Task& message = this->task(task);
  const MessageTimes t = times(task);
  for (const int link : links_of(passing)) held_[static_cast<std::size_t>(link)] += now - passing.since;
  freed_.clear();
  queues_.leave(links_of(passing), freed_);
  const bool first = passing.passed == 0;
  passing.passed += static_cast<int>(links_of(passing).size());
  passing.holds = false;
  const auto hops = static_cast<double>(passing.way.size());
  if (first) {
    nodes_[static_cast<std::size_t>(message.from)].send += now + t.gap - course(task).start;
    release(task, Released::sender_port, now + t.gap);
  }
  if (passing.passed < static_cast<int>(passing.way.size())) {
    events_.emplace(now + options_.hop, task);
  } else {
    nodes_[static_cast<std::size_t>(message.to)].receive += now + t.gap - course(task).start;
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

void EventDriven::release(int task, Released released, double time) {
  for (int i = state(task).waiters; i >= 0; i = waiters_[static_cast<std::size_t>(i)].next)
    if (const Waiter& waiter = waiters_[static_cast<std::size_t>(i)]; waiter.released == released)
      satisfy(waiter, task, time);
}

void EventDriven::satisfy(const Waiter& waiter, int before, double time) {
  Course& waiting = course(waiter.task);
  const bool first = waiting.hold < 0;
  const bool same = time == waiting.start &&
                    (first || waiter.held_by < holds_[static_cast<std::size_t>(waiting.hold)].held_by);
  if (time > waiting.start || same) {
    waiting.start = time;
    hold(waiter.task, before, waiter.held_by, time);
  }
  if (--state(waiter.task).missing == 0) begin(waiter.task);
}

void EventDriven::hold(int task, int by, HeldBy with, double time) {
  holds_.push_back({by, with, course(by).hold, time});
  course(task).hold = static_cast<int>(holds_.size()) - 1;
}

// Combining takes no port and no link, so that its end is known when it starts; one may lead to the next.
void EventDriven::combine() {
  while (!ready_.empty()) {
    const int task = ready_.back();
    ready_.pop_back();
    Course& combining = course(task);
    combining.departure = combining.start;
    combining.end = combining.start + options_.t_op * volume_.of(this->task(task).blocks);
    release(task, Released::data, combining.end);
  }
}

Stream EventDriven::stream(const Task& message) const {
  const MemoryBanks& memory = *options_.memory;
  const PortEnds ends = port_ends(interconnect_, message.from, message.to);
  return {bank_of(memory, ends.out), memory.home(message.to), bank_of(memory, ends.in)};
}

std::vector<LinkUse> EventDriven::links() const {
  std::vector<LinkUse> uses;
  for (std::size_t link = 0; link < held_.size(); ++link)
    uses.push_back({links_.directed_link(link), held_[link]});
  std::ranges::sort(uses, {}, &LinkUse::directed_link);
  return uses;
}

}  // namespace vnode
