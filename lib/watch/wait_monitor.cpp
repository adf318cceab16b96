#include "watch/wait_monitor.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/while_waiting.hpp"
#include "watch/mismatch.hpp"

namespace vnode {

WaitMonitor::WaitMonitor(Fabric& fabric, Rank me, std::chrono::nanoseconds limit)
    : fabric_(fabric), me_(me), limit_(limit), begin_(Clock::now()), interval_(fabric.long_wait() / 5) {
  next_look_ = begin_ + interval_;
}

bool WaitMonitor::examine(Clock::time_point now, const Awaited& awaited) {
  look_while_waiting();
  fabric_.shared(me_).journal.wait(awaited.context, awaited.call, awaited.round, awaited.peer);
  if (limit_.count() > 0 && now - begin_ >= limit_) {
    out_of_time_ = true;
    return true;
  }
  interval_ = std::min<std::chrono::nanoseconds>(interval_ * 2, look_interval);
  next_look_ = now + interval_;
  if (limit_.count() > 0) next_look_ = now + std::min(interval_, limit_ - (now - begin_));
  constexpr int at_once = 16;
  const Members some{next_member_, at_once};
  if (awaited.group != nullptr) next_member_ = (next_member_ + at_once) % awaited.group->size();
  return is_hopeless(awaited, some);
}

bool WaitMonitor::is_hopeless(const Awaited& awaited, Members looked_at) {
  reason_ = awaited.senders != nullptr ? why_nobody_sends(fabric_, me_, awaited)
                                       : why_hopeless(fabric_, me_, awaited, looked_at);
  return !reason_.empty();
}

/// Throws Deadlock or Aborted, since the run is aborting.
void WaitMonitor::end_with_others() {
  if (const std::string* const verdict = fabric_.detector().verdict()) throw Deadlock(*verdict);
  fabric_.throw_aborted();
}

/// Begins to watch the wait or goes on with it. What the node does between two looks is not waiting, so at
/// most an eighth of the time limit counts.
void PollMonitor::begin_or_go_on(Fabric& fabric, Rank me, std::chrono::nanoseconds limit) {
  if (watch_ == nullptr) {
    watch_ = std::make_unique<Watch>(Watch{WaitMonitor(fabric, me, limit)});
  } else {
    const auto passed = watch_->monitor.elapsed() - watch_->waited;
    stride_ = passed < std::chrono::milliseconds(1) ? std::min(stride_ * 2, most_looks) : 1;
    if (passed > limit / 8) watch_->monitor.forgive(passed - limit / 8);
    watch_->waited = watch_->monitor.elapsed();
  }
  looks_ = stride_;
}

void WaitMonitor::give_up() {
  if (!out_of_time_) {
    // A node that has left by a failure has aborted the run before, which `left` has published.
    if (fabric_.aborted() || fabric_.detector().verdict() != nullptr) end_with_others();
    throw Mismatch(reason_);
  }
  throw TimeLimitExceeded(fmt::format("node {} has waited longer than the time limit of {} ms:{}", me_,
                                      std::chrono::duration_cast<std::chrono::milliseconds>(limit_).count(),
                                      status_of_all(fabric_)));
}

}
