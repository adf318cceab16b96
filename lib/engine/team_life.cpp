#include "engine/team_life.hpp"

#include <fmt/format.h>

#include <vnode/error.hpp>

namespace vnode {
namespace {

constexpr const char* parents =
    "this team is of the process that has made it: a child of fork() makes teams of its own";

}  // namespace

void TeamLife::begin_run() {
  Stage stage = Stage::between_runs;
  if (stage_.compare_exchange_strong(stage, Stage::in_run,
                                     std::memory_order_acquire)) {  // (a) pairs with (b)
    run_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (stage == Stage::of_parent) throw UsageError(parents);
  throw UsageError(
      "run() while a run of the same team is on: a team has one run at a time, so neither a node's body nor "
      "another thread may begin one; a body may run another team");
}

void TeamLife::end_run() noexcept {
  Stage stage = Stage::in_run;
  stage_.compare_exchange_strong(stage, Stage::between_runs, std::memory_order_release,
                                 std::memory_order_relaxed);  // (b)
}

void TeamLife::check_between_runs(std::string_view function) const {
  const Stage stage = stage_.load(std::memory_order_acquire);  // pairs with (b)
  if (stage == Stage::of_parent) throw UsageError(parents);
  if (stage == Stage::between_runs) return;
  if (of_callers_)
    throw UsageError(fmt::format(
        "{} while threads are joined: call it before the first joins or after the last has left", function));
  throw UsageError(
      fmt::format("{} while a run of the team is on: call it before or after the run", function));
}

void TeamLife::check_own() const {
  if (of_parent()) throw UsageError(parents);
}

void TeamLife::check_threads(Threads threads) const {
  check_own();
  if (of_callers_ == (threads == Threads::callers)) return;
  throw UsageError(of_callers_
                       ? "run() of a team of callers, which has no threads: threads of the program join() "
                         "it; a team made with Threads::own can run()"
                       : "join() of a team that has threads of its own: it can run(); a team made with "
                         "Threads::callers can be joined");
}

void TeamLife::refuse_call(Rank node) const {
  const ThreadId user = thread(node).id.load(std::memory_order_relaxed);
  switch (stage_.load(std::memory_order_relaxed)) {
    case Stage::of_parent:
      throw UsageError(parents);
    case Stage::ended:
      throw UsageError("the team has ended: its groups and calls cannot be used any more");
    case Stage::in_run:
      if (user != nullptr)
        throw UsageError(
            fmt::format("node {} is used by another thread than its own: nodes, groups and calls are used by "
                        "the thread that is the node",
                        node));
      break;
    case Stage::between_runs:
      break;
  }
  if (of_callers_)
    throw UsageError(
        fmt::format("node {} is used while no thread is joined as it: nodes, groups and calls are used by "
                    "threads that have joined, until they leave",
                    node));
  throw UsageError(fmt::format(
      "{}: nodes, groups and calls are used by the nodes' bodies, within Team::run",
      in_run() ? fmt::format("the body of node {} has returned", node) : "no run of the team is on"));
}

bool TeamLife::end() noexcept {
  Stage stage = Stage::between_runs;
  return stage_.compare_exchange_strong(stage, Stage::ended,
                                        std::memory_order_acquire) ||  // pairs with (b)
         stage == Stage::ended;
}

void TeamLife::end_between_runs(std::string_view function) {
  while (!of_parent() && !end()) check_between_runs(function);
}

void TeamLife::inherit() noexcept {
  for (NodeThread& thread : threads_) thread.id.store(nullptr, std::memory_order_relaxed);
  stage_.store(Stage::of_parent, std::memory_order_relaxed);
}

}  // namespace vnode
