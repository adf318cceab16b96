#include <utility>

#include <vnode/error.hpp>
#include <vnode/request.hpp>

#include "communicator/collective_activity.hpp"
#include "communicator/engine.hpp"

namespace vnode {
namespace {

/// An activity whose owner gives it up: another node may still be at its data.
void give_up(Activity& activity) noexcept {
  Engine* const engine = activity.engine();
  if (engine == nullptr || engine->life()->of_parent()) return;
  if (activity.unwinds()) {
    engine->abandon();
    return;
  }
  try {
    engine->guarded([&] { engine->finish(activity); });
  } catch (...) {
    // The run has ended, and whoever calls vnode next is told.
  }
}

[[gnu::noinline]] bool look_at_engine(Engine& engine, Activity& activity, bool wait) {
  engine.life()->check_in_run();
  engine.guarded([&] {
    if (wait)
      engine.finish(activity);
    else
      engine.test(activity);
  });
  return activity.engine() == nullptr;
}

/// True when it is complete.
bool look(Activity& activity, bool wait) {
  activity.check_found();
  return activity.engine() == nullptr || look_at_engine(*activity.engine(), activity, wait);
}

}

Request::Request() noexcept = default;
Request::Request(std::unique_ptr<Activity> activity) : activity_(std::move(activity)) {
  if (activity_->engine() == nullptr) finish();
}
Request::Request(Request&&) noexcept = default;

Request& Request::operator=(Request&& other) {
  if (this == &other) return *this;
  wait();
  activity_ = std::move(other.activity_);
  count_ = other.count_;
  return *this;
}

Request::~Request() {
  if (activity_ != nullptr) give_up(*activity_);
}

void Request::finish() {
  count_ = activity_->received();
  activity_.reset();
}

void Request::wait() {
  if (activity_ == nullptr) return;
  look(*activity_, true);
  finish();
}

bool Request::test() {
  if (activity_ != nullptr && look(*activity_, false)) finish();
  return activity_ == nullptr;
}

void wait_all(std::span<Request> requests) {
  for (Request& request : requests) request.wait();
}

Persistent::Persistent() noexcept = default;
Persistent::Persistent(std::unique_ptr<State> state) : state_(std::move(state)) {}
Persistent::Persistent(Persistent&&) noexcept = default;

Persistent& Persistent::operator=(Persistent&& other) {
  if (this == &other) return *this;
  wait();
  state_ = std::move(other.state_);
  return *this;
}

Persistent::~Persistent() {
  if (state_ != nullptr) give_up(*state_->activity);
}

void Persistent::start() {
  if (state_ == nullptr)
    throw UsageError(
        "start() of a Persistent that holds no planned call: it is empty or has been moved from");
  CollectiveActivity& activity = *state_->activity;
  activity.check_run();
  Engine& engine = state_->engine;
  engine.call([&] {
    if (state_->started == engine.life()->run())
      throw UsageError("this persistent call has been started: wait() comes before the next start()");
    activity.found();
    engine.guarded([&] { engine.start(activity); });
    state_->started = engine.life()->run();
  });
}

void Persistent::wait() {
  if (state_ == nullptr) return;
  look(*state_->activity, true);
  state_->started = 0;
}

bool Persistent::test() {
  if (state_ == nullptr) return true;
  const bool complete = look(*state_->activity, false);
  if (complete) state_->started = 0;
  return complete;
}

}
