#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include <vnode/error.hpp>
#include <vnode/rank.hpp>

#include "transport/fabric.hpp"

namespace vnode {

/// Describes the call, round and peer that a wait is for.
struct Awaited {
  const Context* group = nullptr;  ///< whose collective it is; null for a message outside of collectives
  std::uint16_t context = 0;
  std::uint32_t call = 0;
  std::uint16_t round = 0;
  Rank peer = -1;               ///< a node of the team; -1: several
  std::uint32_t signature = 0;  ///< of the collective
  /// A number that grows, by less than 2^40, with all that the node does in this wait and others may see, but
  /// for what it sets aside.
  std::uint64_t progress = 0;
  const Context* senders = nullptr;  ///< who may send the message, if it is from any source
  /// "send", "recv" or "probe" outside of collectives.
  const char* message = "";
};

/// Describes some members of a group, by rank there: `count` of them from `first` on, and after the last rank
/// from 0 on.
struct Members {
  Rank first = 0;
  int count = std::numeric_limits<int>::max();  ///< all, if there are fewer

  /// Calls visit(rank) for each of them, of a group of `size`, until it returns true; returns whether it has.
  template <class Visit>
  bool any(int size, Visit&& visit) const {
    for (int i = 0; i < std::min(count, size); ++i)
      if (visit((first + i) % size)) return true;
    return false;
  }
};

/// Watches a wait that has become long: it examines now and then whether the wait can still end. It looks at
/// some other nodes, at different ones each time, so that a look does not cost more if there are more nodes.
class WaitMonitor {
 public:
  WaitMonitor(Fabric& fabric, Rank me, std::chrono::nanoseconds limit);

  /// Examines the wait, and returns whether it is over. Throws Aborted, Mismatch or TimeLimitExceeded when
  /// there is no point in waiting on. Takes one system call at most.
  template <class Poll, class Describe>
  bool look(Poll&& poll, Describe&& awaited) {
    if (fabric_.aborted()) end_with_others();
    const auto now = Clock::now();
    if (now < next_look_) return false;
    const Awaited before = awaited();
    if (!examine(now, before)) return false;
    // What ends the wait, or its part that needs this peer, may have come before the peer left.
    if (poll()) return true;
    if (out_of_time_ || awaited().peer == before.peer) give_up();
    return false;
  }
  /// Returns whether waiting on for this is hopeless, as far as the nodes that are looked at tell; if so, and
  /// another poll() is in vain, give_up() throws Mismatch.
  bool is_hopeless(const Awaited& awaited, Members looked_at = {});
  [[noreturn]] void give_up();
  std::chrono::nanoseconds elapsed() const { return Clock::now() - begin_; }
  /// Takes off `time`, in which the node did not wait, from the time since the wait began.
  void forgive(std::chrono::nanoseconds time) { begin_ += time; }

 private:
  using Clock = std::chrono::steady_clock;
  bool examine(Clock::time_point now, const Awaited& awaited);
  [[noreturn]] void end_with_others();

  Fabric& fabric_;
  Rank me_;
  std::chrono::nanoseconds limit_;
  Clock::time_point begin_, next_look_;
  std::chrono::nanoseconds interval_;
  Rank next_member_ = 0;  // the next member to look at
  std::string reason_;
  bool out_of_time_ = false;
};

/// Watches a wait that a node makes by looks of its own, between which it may do other things: now and then
/// it examines, as a WaitMonitor does, whether looking on has a point. It reads the clock only once in many
/// looks that follow each other fast.
class PollMonitor {
 public:
  /// Examines the wait, after a look in vain, as WaitMonitor::look() does, and returns and throws the same.
  /// Also throws std::bad_alloc.
  template <class Poll, class Describe>
  bool look(Fabric& fabric, Rank me, std::chrono::nanoseconds limit, Poll&& poll, Describe&& awaited) {
    if (--looks_ > 0) return false;
    begin_or_go_on(fabric, me, limit);
    return watch_->monitor.look(poll, awaited);
  }

 private:
  static constexpr int first_looks = 16, most_looks = 1024;
  struct Watch {
    WaitMonitor monitor;
    std::chrono::nanoseconds waited{0};  // when the clock was read last
  };
  void begin_or_go_on(Fabric& fabric, Rank me, std::chrono::nanoseconds limit);

  int looks_ = first_looks, stride_ = first_looks;  // how many looks until the clock is read
  std::unique_ptr<Watch> watch_;
};

}  // namespace vnode
