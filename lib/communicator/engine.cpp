#include "communicator/engine.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace vnode {

Engine::Engine(std::shared_ptr<const TeamLife> life, Fabric& fabric, Rank rank, WaitPolicy policy,
               PagePlacement scratch)
    : life_(std::move(life)),
      endpoint_(fabric, rank),
      waiter_(fabric, rank, policy),
      placement_(std::move(scratch)) {}

void Engine::end_run() {
  if (!busy() || fabric().aborted()) return;
  abandon();
  throw UsageError(
      fmt::format("node {} has left the run with a request that was not waited for", endpoint_.rank()));
}

void Engine::fail(bool consequence) {
  fabric().abort(std::current_exception(), consequence);
  fabric().quiesce();
  forget();
}

void Engine::abandon() {
  fabric().abort(std::make_exception_ptr(Aborted(
                     fmt::format("node {} has given up a call that was in flight", endpoint_.rank()))),
                 true);
  fabric().quiesce();
  forget();
}

void Engine::forget() {
  for (Activity* const activity : open_) activity->lose(life_);
  open_.clear();
  endpoint_.set_overlapping(false);
}

void Engine::start(Activity& activity) {
  open_.push_back(&activity);
  activity.attach(*this);
  activity.begin();
  endpoint_.set_overlapping(true);
  progress();
}

void Engine::progress() {
  unmatched_.clear();
  bool completed = false;
  for (Activity* const activity : open_) {
    const auto lane = activity->lane();
    if (lane && std::ranges::find(unmatched_, *lane) != unmatched_.end()) continue;
    if (activity->advance()) {
      activity->complete();
      completed = true;
    } else if (const auto still = activity->lane()) {
      unmatched_.push_back(*still);
    }
  }
  if (!completed) return;
  std::erase_if(open_, [](const Activity* activity) { return activity->engine() == nullptr; });
  endpoint_.set_overlapping(!open_.empty());
}

void Engine::finish(Activity& activity) {
  if (activity.engine() == nullptr) return;
  wait_among_others([&] { return activity.engine() == nullptr; }, [&] { return activity.awaited(); });
}

std::unique_ptr<Workspace> Engine::borrow(std::size_t scratch_bytes, std::size_t tickets) {
  auto workspace = workspaces_.empty() ? std::make_unique<Workspace>() : std::move(workspaces_.back());
  if (!workspaces_.empty()) workspaces_.pop_back();
  workspaces_.reserve(workspaces_.size() + borrowed_ + 1);
  ++borrowed_;
  try {
    if (workspace->tickets.size() < tickets) workspace->tickets.resize(tickets);
    if (workspace->scratch.bytes() < scratch_bytes) {
      // Nobody reads the old one: calls await their readers before they are complete.
      scratch_bytes_.fetch_sub(workspace->scratch.bytes(), std::memory_order_relaxed);
      workspace->scratch = Pages();
      workspace->scratch = Pages(scratch_bytes, placement_);
      // Else a peer that pushes would touch it first.
      if (!workspace->scratch.degraded().empty()) workspace->scratch.touch();
      scratch_bytes_.fetch_add(scratch_bytes, std::memory_order_relaxed);
    }
  } catch (...) {
    give_back(std::move(workspace));
    throw;
  }
  return workspace;
}

void Engine::give_back(std::unique_ptr<Workspace> workspace) noexcept {
  workspaces_.push_back(std::move(workspace));
  --borrowed_;
}

}
