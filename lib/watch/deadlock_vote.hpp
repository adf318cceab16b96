#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <vnode/error.hpp>

#include "transport/endpoint.hpp"
#include "watch/cluster_deadlock_detector.hpp"
#include "watch/wait_monitor.hpp"

namespace vnode {

/// Takes a node's part in the DeadlockDetector of its run, for as long as it waits for one thing. The node is
/// counted once the wait has been long and in vain. When all are counted, it is asked whether it waits in
/// vain: by the clock, once all have been counted for some time, or by a node that has confirmed, which wakes
/// two others. So few nodes look in vain if one of those that are counted has been woken and only does not
/// run yet.
class DeadlockVote {
 public:
  explicit DeadlockVote(Endpoint& endpoint)
      : endpoint_(endpoint), detector_(endpoint.fabric().detector()), begin_(Clock::now()) {}
  ~DeadlockVote() {
    if (counted_) detector_.end();
  }
  DeadlockVote(const DeadlockVote&) = delete;
  DeadlockVote& operator=(const DeadlockVote&) = delete;

  /// Returns whether all nodes are counted, this one has not confirmed that it waits in vain, and is to look.
  bool is_asked() {
    const std::optional<DeadlockDetector::Question> asked =
        counted_ ? detector_.asks(confirmed_) : std::optional<DeadlockDetector::Question>();
    if (!asked) {
      seen_.reset();
      return false;
    }
    if (asked->confirmed > 0) return true;
    const auto now = Clock::now();
    if (seen_ != asked->epoch) {
      seen_ = asked->epoch;
      seen_at_ = now;
    }
    return now - seen_at_ >= lasting();
  }
  /// Returns how long the node may sleep before it looks, after is_asked().
  std::chrono::nanoseconds nap() const {
    // Nobody rings for what a wire brings.
    if (endpoint_.remote() != nullptr) return std::chrono::microseconds(100);
    if (seen_) return lasting();
    const std::chrono::nanoseconds longest = std::chrono::milliseconds(50);
    return counted_ ? longest : std::min(longest, endpoint_.fabric().long_wait());
  }
  /// Examines the wait, after a look in vain, and returns whether it is over. Throws Deadlock if all nodes
  /// wait and none will ever go on, and Mismatch if their calls do not match.
  template <class Poll, class Describe, class Serve>
  bool look(WaitMonitor& monitor, Poll& poll, Describe& awaited, Serve& serve) {
    if (!counted_) {
      const Fabric& fabric = endpoint_.fabric();
      if (!fabric.names_deadlocks() || Clock::now() - begin_ < fabric.long_wait()) return false;
      begin(awaited());
    }
    const ClusterDeadlockDetector* const joint = endpoint_.fabric().cluster_detector();
    if (joint != nullptr && joint->is_known_to_all()) throw Deadlock(*detector_.verdict());
    if (!is_asked()) return false;
    const std::optional<DeadlockDetector::Question> asked = detector_.asks(confirmed_);
    if (!asked) return false;
    // What makes the wait hopeless may be older than what ends it, so it is looked for first.
    const bool hopeless = monitor.is_hopeless(awaited());
    const std::uint64_t stir = stirred();
    serve(true);
    if (poll()) return true;
    const Awaited in_vain = awaited();
    if (done(in_vain) != done_ || expects())
      end();
    else if (hopeless)
      monitor.give_up();
    else if (stirred() == stir)  // else it may have come after the look
      confirm(asked->epoch, in_vain);
    return false;
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// Returns how long all nodes are counted before the first of them looks.
  std::chrono::nanoseconds lasting() const { return endpoint_.fabric().long_wait() / 2; }
  /// Returns a number that grows with all that the node does and others may see.
  std::uint64_t done(const Awaited& awaited) const { return awaited.progress + endpoint_.put_aside(); }
  /// Returns Remote::activity_count() of the node's wire, if it has one.
  std::uint64_t stirred() const {
    return endpoint_.remote() != nullptr ? endpoint_.remote()->activity_count() : 0;
  }
  bool expects() const { return endpoint_.remote() != nullptr && endpoint_.remote()->expects(); }
  void begin(const Awaited& awaited);
  void end();
  void confirm(DeadlockDetector::Epoch epoch, const Awaited& awaited);
  void ask_others(int k);

  Endpoint& endpoint_;
  DeadlockDetector& detector_;
  Clock::time_point begin_;  // of the wait, or when the node last did something in it
  bool counted_ = false;
  std::uint64_t done_ = 0;  // what done() was when it was counted
  std::optional<DeadlockDetector::Epoch> confirmed_;
  std::optional<DeadlockDetector::Epoch> seen_;  // the epoch in which it has seen all counted since seen_at_
  Clock::time_point seen_at_;
};

}  // namespace vnode
