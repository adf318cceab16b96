#include "communicator/team_life.hpp"

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
  if (stage != Stage::between_runs)
    throw UsageError(
        fmt::format("{} while a run of the team is on: call it before or after the run", function));
}

bool TeamLife::end() noexcept {
  Stage stage = Stage::between_runs;
  return stage_.compare_exchange_strong(stage, Stage::ended, std::memory_order_acquire);  // pairs with (b)
}

void TeamLife::refuse_call() const {
  switch (stage_.load(std::memory_order_relaxed)) {
    case Stage::of_parent:
      throw UsageError(parents);
    case Stage::ended:
      throw UsageError("the team has ended: its groups and calls cannot be used any more");
    default:
      throw UsageError(
          "no run of the team is on: nodes, groups and calls are used by the nodes' bodies, within "
          "Team::run");
  }
}

}  // namespace vnode
