#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include <vnode/error.hpp>
#include <vnode/rank.hpp>

#include "runtime/fabric.hpp"

namespace vnode {

/// The call, round and peer that a wait is for.
struct Awaited {
  const Context* group = nullptr;  ///< whose collective it is; null for a message outside of collectives
  std::uint16_t context = 0;
  std::uint32_t call = 0;
  std::uint16_t round = 0;
  Rank peer = -1;               ///< a node of the team; -1: several
  std::uint32_t signature = 0;  ///< the collective's
  /// Grows, by less than 2^40, with all that the node does in this wait and others may see, but for what it
  /// sets aside.
  std::uint64_t progress = 0;
  const Context* senders = nullptr;  ///< of a message from any source: who may send it
  /// Outside of collectives: "send", "recv" or "probe".
  const char* message = "";
};

/// Some members of a group, by rank there: `count` from `first` on, and from the first after the last.
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

/// A wait that has become long: looks now and then whether it can still end. A look is at some other nodes,
/// and each time at others, so that what it takes does not grow with their number.
class Vigil {
 public:
  Vigil(Fabric& fabric, Rank me, std::chrono::nanoseconds limit);

  /// True if the wait is over. Throws Aborted, Mismatch or TimeLimitExceeded when there is no point in
  /// waiting on. A system call at most.
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
  /// True if there is no point in waiting for this on, as all nodes that are looked at tell; then, if another
  /// poll() is in vain, give_up() throws Mismatch.
  bool is_hopeless(const Awaited& awaited, Members looked_at = {});
  [[noreturn]] void give_up();
  std::chrono::nanoseconds elapsed() const { return Clock::now() - begin_; }
  /// So much of the time since it began was no waiting.
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
  Rank next_member_ = 0;  // to be looked at
  std::string reason_;
  bool out_of_time_ = false;
};

/// A wait that a node makes in looks of its own, between which it may do other things: now and then it asks
/// as a Vigil does whether looking has a point. It reads the clock once in many looks that follow each other
/// fast.
class Patience {
 public:
  /// After a look in vain; the rest as in Vigil::look(). Throws std::bad_alloc.
  template <class Poll, class Describe>
  bool look(Fabric& fabric, Rank me, std::chrono::nanoseconds limit, Poll&& poll, Describe&& awaited) {
    if (--looks_ > 0) return false;
    begin_or_go_on(fabric, me, limit);
    return watch_->vigil.look(poll, awaited);
  }

 private:
  static constexpr int first_looks = 16, most_looks = 1024;
  struct Watch {
    Vigil vigil;
    std::chrono::nanoseconds waited{0};  // when the clock was read last
  };
  void begin_or_go_on(Fabric& fabric, Rank me, std::chrono::nanoseconds limit);

  int looks_ = first_looks, stride_ = first_looks;  // until the clock is read
  std::unique_ptr<Watch> watch_;
};

}  // namespace vnode
