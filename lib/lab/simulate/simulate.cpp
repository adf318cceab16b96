#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <mutex>
#include <oneapi/tbb/parallel_for.h>
#include <tuple>

#include <vnode/error.hpp>
#include <vnode/lab/simulate.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "base/enum_names.hpp"
#include "simulate/event_driven.hpp"
#include "simulate/links.hpp"
#include "simulate/message_times.hpp"

namespace vnode {
namespace {

TimedMessage timed(const Task& message, const Course& course, const Volume& volume) {
  return {message.round, message.from,
          message.to,    static_cast<std::size_t>(std::llround(volume.of(message.blocks))),
          course.start,  course.departure,
          course.end};
}

// Goes from what ends last back to what nothing held up.
std::vector<CriticalStep> critical_path(const std::vector<Task>& tasks, const Played& play,
                                        const Volume& volume) {
  const std::vector<Course>& courses = play.courses;
  std::vector<CriticalStep> path;
  const auto last = std::ranges::max_element(courses, {}, &Course::end);
  auto task = static_cast<std::size_t>(last - courses.begin());
  for (int number = last->hold;;) {
    const TimedMessage message = timed(tasks[task], courses[task], volume);
    if (number < 0) {
      path.push_back({message, HeldBy::none, 0});
      break;
    }
    const Hold& hold = at(play.holds, number);
    path.push_back({message, hold.held_by, hold.time});
    task = static_cast<std::size_t>(hold.task);
    number = hold.before;
  }
  std::ranges::reverse(path);
  return path;
}

// Returns the most messages between start and end at the same time.
int peak(const std::vector<Task>& tasks, const std::vector<Course>& courses) {
  std::vector<double> starts, ends;
  for (std::size_t task = 0; task < tasks.size(); ++task)
    if (!tasks[task].combines()) {
      starts.push_back(courses[task].start);
      ends.push_back(courses[task].end);
    }
  std::ranges::sort(starts);
  std::ranges::sort(ends);
  int most = 0;
  std::size_t ended = 0;
  for (std::size_t started = 0; started < starts.size(); ++started) {
    while (ends[ended] <= starts[started] && ended < started) ++ended;
    most = std::max(most, static_cast<int>(started + 1 - ended));
  }
  return most;
}

std::vector<TimedMessage> all_messages(const std::vector<Task>& tasks, const std::vector<Course>& courses,
                                       const Volume& volume) {
  std::vector<TimedMessage> messages;
  for (std::size_t task = 0; task < tasks.size(); ++task)
    if (!tasks[task].combines()) messages.push_back(timed(tasks[task], courses[task], volume));
  std::ranges::stable_sort(messages, {}, [](const TimedMessage& message) {
    return std::tuple(message.start, message.round, message.from, message.to);
  });
  return messages;
}

}  // namespace

void check_fits(const Schedule& schedule, const Interconnect& interconnect) {
  const int nodes = interconnect.topology.nodes(), machines = interconnect.machines;
  if (nodes != schedule.nodes())
    throw UsageError(fmt::format("a schedule of {} cannot run on {}", counted(schedule.nodes(), "node"),
                                 counted(nodes, "node")));
  if (machines < 1 || nodes % machines != 0)
    throw UsageError(fmt::format("{} nodes cannot be on {} machines, as many on each", nodes, machines));
}

std::string_view enums::name(Switching switching) {
  return switching == Switching::cut_through ? "cut-through" : "store-and-forward";
}

std::string_view enums::name(HeldBy held_by) {
  static constexpr EnumNames<HeldBy, 5> names{{"none", "data", "sender's port", "receiver's port", "link"}};
  return names[held_by];
}

Simulation simulate(const Schedule& schedule, const Volume& volume, const Interconnect& interconnect,
                    const SimulationOptions& options) {
  check_fits(schedule, interconnect);
  check(options, schedule.nodes());
  if (options.memory && interconnect.machines > 1)
    throw UsageError("memory banks are simulated on one machine only: give machines, or banks");
  const Dependencies dependencies(schedule, volume, options.shared_from);
  const Played play = played(dependencies, volume, interconnect, options, schedule.nodes());
  const std::vector<Task>& tasks = dependencies.tasks();
  const std::vector<Course>& courses = play.courses;
  Simulation result;
  result.timeline.nodes = schedule.nodes();
  result.nodes = play.nodes;
  result.links = play.links;
  if (tasks.empty()) return result;
  result.seconds = std::ranges::max(courses, {}, &Course::end).end;
  result.messages = static_cast<std::size_t>(
      std::ranges::count_if(tasks, [](const Task& task) { return !task.combines(); }));
  result.peak = peak(tasks, courses);
  result.critical_path = critical_path(tasks, play, volume);
  double last = 0;  // nothing starts before the first message, at 0
  for (std::size_t task = 0; task < tasks.size(); ++task)
    if (!tasks[task].combines()) last = std::max(last, courses[task].end);
  result.timeline.seconds = last;
  if (options.timeline) result.timeline.messages = all_messages(tasks, courses, volume);
  return result;
}

std::vector<Simulation> simulate(const std::vector<SimulationCase>& cases,
                                 const std::function<void(std::size_t done)>& progress) {
  std::vector<Simulation> results(cases.size());
  std::mutex telling;
  std::size_t done = 0;
  oneapi::tbb::parallel_for(
      std::size_t{0}, cases.size(),
      [&](std::size_t i) {
        const SimulationCase& one = cases[i];
        results[i] = simulate(one.schedule(), one.volume, one.interconnect, one.options);
        const std::lock_guard lock(telling);
        ++done;
        if (progress) progress(done);
      },
      oneapi::tbb::simple_partitioner{});
  return results;
}

}  // namespace vnode
