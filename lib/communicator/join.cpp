#include <exception>
#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/join.hpp>

#include "base/at.hpp"
#include "communicator/team_state.hpp"
#include "machine/binding.hpp"

namespace vnode {

Membership Team::join(Rank rank) { return Membership(existing(), rank); }
Membership Team::join() { return Membership(existing(), std::nullopt); }

Membership::Membership(Team::State& team, std::optional<Rank> rank)
    : team_(&team), exceptions_(std::uncaught_exceptions()) {
  team.life->check_threads(Threads::callers);
  std::exception_ptr interrupt;
  const std::vector<int> affinity = team.follows_threads() ? unpinned_affinity() : std::vector<int>();
  const auto enter = [&](Rank place, bool last) { team.enter(place, affinity, last); };
  const Rank own = team.first_here() + team.roster->join(rank, interrupt, enter);
  team.life->begin_node(own);
  node_ = &at(team.at_nodes, own - team.first_here());
  try {
    if (interrupt) std::rethrow_exception(interrupt);
    pinned_ = team.pins.pin_joined(own);
  } catch (...) {
    end(std::current_exception());
    throw;
  }
}

Membership::Membership(Membership&& other) noexcept
    : team_(std::exchange(other.team_, nullptr)),
      node_(other.node_),
      pinned_(std::move(other.pinned_)),
      exceptions_(other.exceptions_) {}

Membership::~Membership() noexcept(false) {
  if (std::uncaught_exceptions() <= exceptions_)
    leave();
  else if (here())
    end(std::make_exception_ptr(Aborted(fmt::format("an exception has left node {}", node_->rank()))));
}

/// Whether it has not left, and is this thread's.
bool Membership::here() const { return team_ != nullptr && team_->life->thread(node_->rank()).here(); }

/// Whether there is a node to leave.
bool Membership::may_leave() const {
  if (team_ == nullptr || team_->life->of_parent()) return false;
  if (!here()) throw UsageError(fmt::format("node {} is left by another thread than its own", node_->rank()));
  return true;
}

void Membership::abort(std::exception_ptr failure) {
  if (may_leave()) end(std::move(failure));
}

void Membership::leave() {
  if (!may_leave()) return;
  if (const std::exception_ptr wrong = end(nullptr)) std::rethrow_exception(wrong);
}

/// Returns what the run's end has to tell this thread.
std::exception_ptr Membership::end(std::exception_ptr failure) {
  Team::State* const team = std::exchange(team_, nullptr);
  const Rank rank = node_->rank();
  std::exception_ptr wrong = team->end_node(rank, failure);
  team->fabric.keep_cause_only(rank);
  pinned_.reset();
  team->roster->leave(rank - team->first_here(), [&] {
    // Whom an exception has reached knows of it.
    const bool failed = team->fabric.aborted();
    const std::exception_ptr found = team->end_run();
    if (!failed) wrong = found;
  });
  return wrong;
}

}  // namespace vnode
