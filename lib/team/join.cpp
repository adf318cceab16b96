#include <atomic>
#include <exception>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/join.hpp>

#include "base/at.hpp"
#include "base/sentence.hpp"
#include "base/thread_end.hpp"
#include "machine/binding.hpp"
#include "team/team_state.hpp"

namespace vnode {

Membership Team::join(Rank rank) { return Membership(existing(), rank); }
Membership Team::join() { return Membership(existing(), std::nullopt); }

/// Holds a thread's place in a run. Only that thread leaves it, at its own end at the latest; others see that
/// it has left.
struct Membership::Place {
  explicit Place(Team::State& joined)
      : team(&joined), rank(joined.first_here()), end_of_thread(std::in_place, &thread_has_ended, this) {}

  /// Tells whether the calling thread is the node.
  bool here() const {
    // Relaxed: a team that this thread has left was left by it.
    const Team::State* const of = team.load(std::memory_order_relaxed);
    return of != nullptr && of->life->thread(rank).here();
  }
  /// Leaves the run. Returns the exception with which the run has ended for this thread, or null.
  std::exception_ptr end(std::exception_ptr failure) noexcept {
    Team::State* const left = team.exchange(nullptr, std::memory_order_relaxed);
    end_of_thread.reset();
    std::exception_ptr wrong = left->end_node(rank, std::move(failure));
    left->fabric.keep_cause_only(rank);
    pinned.reset();
    running.reset();
    const std::shared_ptr<Place> last = std::move(kept);  // until this returns
    left->roster->leave(rank - left->first_here(), [&] {
      // A node that an exception has reached knows of it.
      const bool failed = left->fabric.aborted();
      const std::exception_ptr found = left->end_run();
      if (!failed) wrong = found;
    });
    return wrong;
  }
  static void thread_has_ended(void* argument) noexcept {
    auto& place = *static_cast<Place*>(argument);
    if (!place.here()) return;
    place.end(exception_of<Aborted>(
        [&] { return fmt::format("node {}'s thread has ended without leaving", place.rank); }));
  }

  std::atomic<Team::State*> team;  // null: it has left
  Rank rank;
  std::unique_ptr<PinnedThread> pinned;
  std::optional<RunningNode> running;
  std::optional<ThreadEnd> end_of_thread;
  /// Refers to this object until the thread has left, so that the end of the thread finds it even if another
  /// thread has destroyed the Membership in vain.
  std::shared_ptr<Place> kept;
};

Membership::Membership(Team::State& team, std::optional<Rank> rank)
    : exceptions_(std::uncaught_exceptions()) {
  team.life->check_threads(Threads::callers);
  place_ = std::make_shared<Place>(team);
  std::exception_ptr interrupt;
  const std::vector<int> affinity = team.follows_threads() ? unpinned_affinity() : std::vector<int>();
  const auto enter = [&](Rank place, bool last) { team.enter(place, affinity, last); };
  const int here = team.roster->join(rank, interrupt, enter);
  place_->rank = team.first_here() + here;
  place_->kept = place_;
  team.life->begin_node(place_->rank);
  NodeOfTeam& is = at(team.at_nodes, here);
  node_ = &is.node;
  place_->running.emplace(is);
  try {
    if (interrupt) std::rethrow_exception(interrupt);
    place_->pinned = team.pins.pin_joined(place_->rank);
  } catch (...) {
    place_->end(std::current_exception());
    throw;
  }
}

Membership::Membership(Membership&& other) noexcept = default;

Membership::~Membership() noexcept(false) {
  if (std::uncaught_exceptions() <= exceptions_)
    leave();
  else if (place_ != nullptr && place_->here())
    place_->end(
        exception_of<Aborted>([&] { return fmt::format("an exception has left node {}", place_->rank); }));
}

bool Membership::left() const {
  return place_ == nullptr || place_->team.load(std::memory_order_relaxed) == nullptr;
}

/// Tells whether there is a node to leave.
bool Membership::may_leave() const {
  if (left()) return false;
  const Team::State& team = *place_->team.load(std::memory_order_relaxed);
  if (team.life->of_parent()) return false;
  if (!place_->here())
    throw UsageError(fmt::format("node {} is left by another thread than its own", place_->rank));
  at(team.engines, place_->rank - team.first_here())->check_not_in_call();
  return true;
}

void Membership::abort(std::exception_ptr failure) {
  if (may_leave()) place_->end(std::move(failure));
}

void Membership::leave() {
  if (!may_leave()) return;
  if (const std::exception_ptr wrong = place_->end(nullptr)) std::rethrow_exception(wrong);
}

}  // namespace vnode
