#include <cmath>
#include <fmt/format.h>
#include <iterator>

#include <vnode/lab/goal.hpp>

#include "base/at.hpp"
#include "simulate/dependencies.hpp"

namespace vnode {
namespace {

// Holds what one rank does, as its part of the text: labels count from 1.
struct Part {
  std::string text;
  int labels = 0;

  int add(const std::string& what) {
    fmt::format_to(std::back_inserter(text), "l{}: {}\n", ++labels, what);
    return labels;
  }
};

// The labels of a task: where it is sent, and where it is received or combined.
struct Labels {
  int sent = 0, done = 0;
};

}  // namespace

std::string to_goal(const Schedule& schedule, const Volume& volume, double t_op) {
  const Dependencies dependencies(schedule, volume);
  const std::vector<Task>& tasks = dependencies.tasks();
  std::vector<Part> parts(static_cast<std::size_t>(schedule.nodes()));
  std::vector<Labels> labels;
  for (std::size_t tag = 0; tag < tasks.size(); ++tag) {
    const Task& task = tasks[tag];
    Part& to = at(parts, task.to);
    const double bytes = volume.of(task.blocks);
    if (task.combines()) {
      const auto nanoseconds = std::llround(bytes * t_op * 1e9);
      labels.push_back({0, to.add(fmt::format("calc {}", nanoseconds))});
      continue;
    }
    const auto size = std::llround(bytes);
    Part& from = at(parts, task.from);
    const int sent = from.add(fmt::format("send {}b to {} tag {}", size, task.to, tag));
    labels.push_back({sent, to.add(fmt::format("recv {}b from {} tag {}", size, task.from, tag))});
  }
  for (const auto& [before, after] : dependencies.requirements()) {
    const Task& task = at(tasks, after);
    const Labels& own = at(labels, after);
    fmt::format_to(std::back_inserter(at(parts, task.from).text), "l{} requires l{}\n",
                   task.combines() ? own.done : own.sent, at(labels, before).done);
  }
  std::string text = fmt::format("num_ranks {}\n", schedule.nodes());
  for (std::size_t rank = 0; rank < parts.size(); ++rank)
    text += fmt::format("\nrank {} {{\n{}}}\n", rank, parts[rank].text);
  return text;
}

}  // namespace vnode
