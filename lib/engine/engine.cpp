#include "engine/engine.hpp"

#include <exception>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>

#include "base/sentence.hpp"

namespace vnode {

Engine::Engine(std::shared_ptr<const TeamLife> life, Fabric& fabric, Rank rank, WaitPolicy policy,
               PagePlacement scratch)
    : life_(std::move(life)),
      thread_(life_->thread(rank)),
      endpoint_(fabric, rank),
      journal_(fabric.shared(rank).journal),
      waiter_(endpoint_, policy),
      placement_(std::move(scratch)),
      in_flight_(endpoint_) {}

void Engine::end_run() {
  // An exception may have left the node outside of any call.
  if (fabric().aborted()) endpoint_.quiesce();
  if (!busy() && held_.empty()) return;
  const bool held = !busy();
  const bool failed = fabric().aborted();
  abandon();
  if (failed) return;
  if (held)
    throw UsageError(fmt::format(
        "node {} has left the run without receiving a message that it had matched: a MatchedMessage is "
        "received once, by recv or irecv",
        endpoint_.rank()));
  throw UsageError(
      fmt::format("node {} has left the run with a request that was not waited for", endpoint_.rank()));
}

void Engine::fail(bool consequence) noexcept {
  std::exception_ptr reason = std::current_exception();
  if (!reason)  // pthread_exit or a cancellation unwinds the thread
    reason = exception_of<Aborted>(
        [&] { return fmt::format("node {}'s thread has ended within a call", endpoint_.rank()); });
  abandon(std::move(reason), consequence);
}

void Engine::abandon() noexcept {
  abandon(exception_of<Aborted>([&] {
            return fmt::format("node {} has given up a call that was in flight", endpoint_.rank());
          }),
          true);
}

void Engine::abandon(std::exception_ptr reason, bool consequence) noexcept {
  fabric().abort(endpoint_.rank(), std::move(reason), consequence);
  endpoint_.quiesce();
  if (!in_call_) forget();
}

void Engine::refuse_in_call() const {
  throw UsageError(fmt::format(
      "node {} is used within a call of its own: an operator, and what looks while a node waits, may use "
      "nodes of other teams, but not the one whose call it belongs to",
      endpoint_.rank()));
}

void Engine::forget() {
  awaited_ = nullptr;
  in_flight_.forget(life_);
  dropped_.clear();
  held_.lose();
  endpoint_.set_overlapping(false);
}

void Engine::progress() {
  in_flight_.progress();
  endpoint_.set_overlapping(busy());
}

void Engine::progress(Activity& activity) {
  endpoint_.relieve(false);
  in_flight_.look_everywhere();
  progress();
  if (activity.engine() != nullptr) in_flight_.advance(activity);
}

void Engine::finish(Activity& activity) {
  if (activity.engine() == nullptr) return;
  if (in_flight_.alone(activity)) {
    waiter_.wait([&] { return in_flight_.step(activity); }, [&] { return activity.awaited(); },
                 [&] { return activity.watch(); }, [&](bool all) { endpoint_.relieve(all); });
    return endpoint_.set_overlapping(false);
  }
  wait_among_others(
      [&] {
        if (activity.engine() != nullptr) in_flight_.advance(activity);
        return activity.engine() == nullptr;
      },
      [&] { return activity.awaited(); }, [] {});
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
