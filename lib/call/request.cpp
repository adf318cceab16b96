#include <fmt/format.h>
#include <memory>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/request.hpp>

#include "base/raised.hpp"
#include "base/sentence.hpp"
#include "call/collective_activity.hpp"
#include "engine/engine.hpp"

namespace vnode {
namespace {

/// Completes or aborts an activity whose owner gives it up, since another node may still use its data.
/// Returns what the caller is to free. An activity that an operator gives up may be the call that the
/// operator combines for, so it is kept until the run has failed.
template <class Kept>
std::unique_ptr<Kept> given_up(std::unique_ptr<Kept> kept, Activity& activity, Engine* engine) noexcept {
  if (engine == nullptr || engine->life()->of_parent()) return kept;
  if (engine->in_call()) {
    engine->abandon(exception_of<UsageError>([&] {
      return fmt::format(
          "node {} has dropped a request within a call of its own: requests are waited for before",
          engine->endpoint().rank());
    }));
    engine->drop(activity);
    try {
      engine->keep_dropped(std::shared_ptr<void>(std::move(kept)));
    } catch (...) {
      static_cast<void>(kept.release());  // never freed, for lack of memory to remember it
    }
    return nullptr;
  }
  if (activity.unwinds()) {
    engine->abandon();
    return kept;
  }
  try {
    engine->guarded([&] { engine->finish(activity); });
  } catch (...) {
    // The run has ended, and whoever calls vnode next is told.
  }
  return kept;
}

[[gnu::noinline]] bool look_at_engine(Engine& engine, Activity& activity, bool wait) {
  engine.check_thread();
  engine.guarded([&] {
    if (wait)
      engine.await(activity);
    else
      engine.test(activity);
  });
  return activity.engine() == nullptr;
}

/// Looks at the activity, which `engine` drives (nullptr: it is complete), or waits for it. Returns true
/// when it is complete.
bool look(Activity& activity, Engine* engine, bool wait) {
  activity.check_found();
  return engine == nullptr || look_at_engine(*engine, activity, wait);
}

}

[[gnu::always_inline]] inline void Request::finish() {
  count_ = activity_->received(info_);
  activity_.reset();
}

Request::Request() noexcept = default;
Request::Request(std::unique_ptr<Activity> activity, bool is_receive)
    : activity_(std::move(activity)), news_(true), stays_(!is_receive) {
  if (activity_ != nullptr && activity_->engine() == nullptr) finish();
}
Request::Request(Request&& other) noexcept
    : activity_(std::move(other.activity_)),
      count_(other.count_),
      info_(other.info_),
      cancelled_(other.cancelled_),
      news_(std::exchange(other.news_, false)),
      stays_(std::exchange(other.stays_, false)) {}

Request& Request::operator=(Request&& other) {
  if (this == &other) return *this;
  wait();
  activity_ = std::move(other.activity_);
  count_ = other.count_;
  info_ = other.info_;
  cancelled_ = other.cancelled_;
  news_ = std::exchange(other.news_, false);
  stays_ = std::exchange(other.stays_, false);
  return *this;
}

Request::~Request() {
  if (activity_ == nullptr) return;
  Activity& activity = *activity_;
  given_up(std::move(activity_), activity, activity.engine());
}

void Request::wait() {
  news_ = false;
  if (activity_ == nullptr) return;
  look(*activity_, activity_->engine(), true);
  finish();
}

bool Request::test() {
  if (activity_ != nullptr) {
    if (!look(*activity_, activity_->engine(), false)) return false;
    finish();
  }
  news_ = false;
  return true;
}

bool Request::cancel() {
  if (stays_)
    throw UsageError(
        "cancel() of a call other than irecv: a message that is sent cannot be taken back, nor a collective "
        "call");
  if (activity_ == nullptr) return false;
  activity_->check_found();
  Engine* const engine = activity_->engine();
  if (engine == nullptr) return false;
  engine->check_thread();
  // A message that is there has been set aside, perhaps, and not been matched yet.
  engine->guarded([&] { engine->progress(); });
  if (activity_->engine() == nullptr || !engine->cancel(*activity_)) return false;
  activity_.reset();
  info_ = {};
  cancelled_ = news_ = true;
  return true;
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
  if (state_ == nullptr) return;
  Activity& activity = *state_->activity;
  Engine* const engine = state_->driver();
  given_up(std::move(state_), activity, engine);
}

void Persistent::start() {
  if (state_ == nullptr)
    throw UsageError(
        "start() of a Persistent that holds no planned call: it is empty or has been moved from");
  State& state = *state_;  // an operator may give up the call that it combines for
  CollectiveActivity& activity = *state.activity;
  activity.check_thread();
  Engine& engine = state.engine;
  engine.call([&] {
    if (state.started == engine.life()->run())
      throw UsageError("this persistent call has been started: wait() comes before the next start()");
    activity.found();
    engine.guarded([&] {
      const Raised starting(state.starting);
      engine.start(activity);
    });
    state.started = engine.life()->run();
  });
}

void Persistent::wait() {
  if (state_ == nullptr) return;
  look(*state_->activity, state_->driver(), true);
  state_->started = 0;
}

bool Persistent::test() {
  if (state_ == nullptr) return true;
  const bool complete = look(*state_->activity, state_->driver(), false);
  if (complete) state_->started = 0;
  return complete;
}

}
