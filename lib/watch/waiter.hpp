#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>

#include <vnode/rank.hpp>

#include "base/pause.hpp"
#include "base/this_thread.hpp"
#include "base/ticks.hpp"
#include "fiber/carrier.hpp"
#include "transport/endpoint.hpp"
#include "watch/cluster_deadlock_detector.hpp"
#include "watch/deadlock_vote.hpp"
#include "watch/status_query.hpp"
#include "watch/wait_monitor.hpp"

namespace vnode {

/// Says how a node passes its time while it waits: it spins, then yields, then sleeps. One that yields first
/// and may sleep sleeps at once while threads of others compete for its core.
struct WaitPolicy {
  static constexpr auto forever = std::chrono::nanoseconds::max();
  /// Say how long it spins, and until when it yields before it sleeps, counted from the beginning of the
  /// wait, or from when it was last about to sleep but had made progress.
  std::chrono::nanoseconds spin_until = forever, yield_until = forever;
  /// A yield that takes so many ticks has let a foreign thread run for its time slice: more than the nodes of
  /// a core take to have a turn each.
  Ticks slice = least_slice;
  int cores = 1;                                        ///< that the nodes run on
  Fencing fencing = Fencing::rare_side;                 ///< Fencing::both_sides where many sleep
  static constexpr Ticks least_slice = Ticks{1} << 20;  // 0.2 to 1 ms; a time slice takes some milliseconds

  bool spins() const { return spin_until.count() > 0; }
  bool yields() const { return spin_until < yield_until; }
  bool parks() const { return yield_until < forever; }
};

/// Tells whether threads of others compete for a node's core, as the node sees by how long a yield takes.
/// One that yields to a busy thread gets the core back after that thread's time slice, milliseconds later;
/// one that sleeps gets it when it is woken. Nodes that compute or copy for long have such turns, too: after
/// the first, yields are examined for who has had the cores meanwhile.
class Competition {
 public:
  explicit Competition(Ticks slice = WaitPolicy::least_slice) : slice_(slice) {}

  /// Is called at the beginning of a wait. After the waits in which the node sleeps at once it tries again,
  /// and after some in which nobody competed it is as if nobody ever had.
  void begin_wait() {
    sleeps_ = waits_ > 0;
    if (sleeps_)
      --waits_;
    else if (next_ > first_waits && --trials_ == 0)
      *this = Competition(slice_);
  }
  /// Returns whether note() is to be told of the next yields who has had the cores.
  bool examines() const { return next_ > first_waits; }
  /// Notes that a yield in a wait took so long; `own` says that the nodes have had the cores meanwhile.
  void note(Ticks took, bool own = false) {
    if (took < slice_ || own) return;
    sleeps_ = true;
    waits_ = next_;
    next_ = std::min(2 * next_, most_waits);
    trials_ = usual_trials;
  }
  /// Returns whether the node sleeps in this wait, rather than yield.
  bool sleeps() const { return sleeps_; }

 private:
  // One long yield tells little: while nodes make their plans, or compute, their turns are long, too.
  static constexpr int first_waits = 1, most_waits = 1024, usual_trials = 16;
  Ticks slice_;
  bool sleeps_ = false;
  int waits_ = 0, next_ = first_waits, trials_ = usual_trials;
};

/// Measures how many cores a team's nodes have had since the object was made.
class CoreUse {
 public:
  explicit CoreUse(Fabric& fabric) : fabric_(fabric) {}
  /// Returns whether it was all of so many, but for half of one at most.
  bool has_been(int cores) const {
    const auto wall = std::chrono::steady_clock::now() - begin_;
    return used() - used_ >= wall * cores - wall / 2;
  }

 private:
  std::chrono::nanoseconds used() const {
    std::chrono::nanoseconds sum{0};
    for (Rank node = 0; node < fabric_.nodes(); ++node)
      sum += run_time(fabric_.shared(node).clock.load(std::memory_order_relaxed));
    return sum;
  }

  Fabric& fabric_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::nanoseconds used_ = used();
};

class Waiter {
 public:
  Waiter(Endpoint& endpoint, WaitPolicy policy)
      : endpoint_(endpoint),
        fabric_(endpoint.fabric()),
        me_(endpoint.rank()),
        policy_(policy),
        competition_(policy.slice) {}

  /// Sets how the node waits from the next wait on.
  void set_policy(WaitPolicy policy) {
    policy_ = policy;
    competition_ = Competition(policy.slice);
    fiber_ = fabric_.shared(me_).fiber;
  }
  /// Sets the time limit from the next wait on; 0 is none.
  void set_limit(std::chrono::nanoseconds limit) { limit_ = limit; }

  /// Returns when poll() has returned true. `awaited()` describes what the wait is for, if it takes long;
  /// `watch()` names a word that changes when poll() may return true, or nullptr. In a wait that has become
  /// long, `serve(all)` does now and then what others may be waiting for; `all` says that the node is about
  /// to sleep.
  template <class Poll, class Describe, class Watch, class Serve>
  void wait(Poll&& poll, Describe&& awaited, Watch&& watch, Serve&& serve) {
    if (poll()) return;
    // Short waits, without a look at clock or abort.
    if (policy_.spins()) {
      for (int i = 0; i < 500; ++i) {
        const std::atomic<std::uint64_t>* const word = watch();
        const std::uint64_t seen = word != nullptr ? word->load(std::memory_order_relaxed) : 0;
        if (poll()) return;
        if (word == nullptr) pause();
        if (word == nullptr || word != watch()) continue;
        // Many looks to a pause, which takes up to a line transfer on some processors. Relaxed: poll()
        // acquires.
        int look = 0;
        while (look < 32 && word->load(std::memory_order_relaxed) == seen) ++look;
        if (look == 32) pause();
      }
    } else if (fiber_ != nullptr) {
      if (sleep_briefly(*fiber_, poll)) return;
    } else if (policy_.yields()) {
      competition_.begin_wait();
      for (int i = 0; i < 16 && !competition_.sleeps(); ++i) {
        yield();
        if (poll()) return;
      }
    }
    wait_long(poll, awaited, serve);
  }
  /// Begins a wait where ready() is a look at one word. Returns true when that has returned true, false when
  /// it is time for a whole wait().
  template <class Ready>
  bool expect(Ready&& ready) const {
    if (ready()) return true;
    if (!policy_.spins()) return false;
    for (int i = 0; i < 32; ++i) {
      for (int look = 0; look < 32; ++look)
        if (ready()) return true;
      pause();
    }
    return false;
  }
  /// Does the same as expect() for a fiber, which lets others run meanwhile.
  template <class Ready>
  bool expect_turn(Ready&& ready) const {
    if (ready()) return true;
    return sleep_briefly(*fiber_, ready);
  }
  /// Examines the wait of a caller that looks by itself, after a look in vain, as PollMonitor::look() does.
  template <class Poll, class Describe>
  bool look(PollMonitor& monitor, Poll&& poll, Describe&& awaited) {
    if (fiber_ != nullptr) fiber_->yield();
    return monitor.look(fabric_, me_, limit_, poll, awaited);
  }

 private:
  /// Lets other nodes of the carrier run until poll() is true or it has taken long, a millisecond, or more
  /// where many share a carrier; returns whether it is. The node does not look at the clock: its carrier
  /// does, now and then. Nobody rings for what a wire brings: then it looks in each of its turns.
  template <class Poll>
  [[gnu::noinline]] bool sleep_briefly(Fiber& fiber, Poll&& poll) const {
    if (endpoint_.remote() != nullptr) {
      constexpr int most_turns = 200;
      for (int turn = 0; turn < most_turns && !fabric_.aborted(); ++turn) {
        fiber.yield();
        if (poll()) return true;
      }
      return false;
    }
    while (!fabric_.aborted()) {
      fiber.sleep(fabric_.long_wait() / 10);
      if (poll()) return true;
      if (fiber.slept_long()) return false;
    }
    return false;
  }
  template <class Poll, class Describe, class Serve>
  [[gnu::noinline]] void wait_long(Poll& poll, Describe& awaited, Serve& serve) {
    SharedNodeState& own = fabric_.shared(me_);
    const Awaited first = awaited();
    own.journal.wait(first.context, first.call, first.round, first.peer);
    WaitMonitor monitor(fabric_, me_, limit_);
    DeadlockVote vote(endpoint_);
    StatusQuery status_query(endpoint_, limit_);
    if (policy_.spins()) competition_.begin_wait();
    std::uint64_t progress = first.progress;
    std::chrono::nanoseconds got_on{0};
    for (;;) {
      const auto waited = monitor.elapsed();
      auto idle = waited - got_on;
      // A call of many rounds is many waits. It is asked before it sleeps, and not in each of its rounds:
      // many calls in flight take long to be asked, and beside busy threads each try costs a time slice.
      if (policy_.parks() && idle >= policy_.yield_until)
        if (const std::uint64_t now = awaited().progress; now != progress) {
          progress = now;
          got_on = waited;
          idle = {};
          competition_.begin_wait();
        }
      if (endpoint_.remote() != nullptr) {
        status_query.look(waited, awaited);
        if (idle >= fabric_.long_wait()) fabric_.cluster_detector()->look();
      }
      if (idle < policy_.spin_until) {
        for (int i = 0; i < 100; ++i) {
          if (poll()) return;
          pause();
        }
      } else if (idle < policy_.yield_until && !competition_.sleeps()) {
        yield();
      } else {
        bool over = false;
        fabric_.sleep(
            me_,
            [&] {
              serve(true);
              over = poll();
              // What the sleeper sees of an abort, or is asked, is part of the doorbell's handshake.
              return over || fabric_.aborted() || vote.is_asked();
            },
            [&] { return vote.nap(); });
        if (over) return;
      }
      serve(false);
      if (poll() || monitor.look(poll, awaited) || vote.look(monitor, poll, awaited, serve)) return;
    }
  }

  void yield() {
    Ticks took = endpoint_.remote() != nullptr ? endpoint_.remote()->take_yielded_ticks() : 0;
    bool own = false;
    if (took == 0) {
      pause();
      std::optional<CoreUse> use;
      if (policy_.parks()) {
        // The node's thread may be another one than in the run before.
        fabric_.shared(me_).clock.store(run_clock(), std::memory_order_relaxed);
        if (competition_.examines() && fabric_.nodes() <= most_examined) use.emplace(fabric_);
      }
      const Ticks begin = now();
      std::this_thread::yield();
      took = now() - begin;
      own = use && use->has_been(policy_.cores);
    }
    if (policy_.parks()) competition_.note(took, own);
  }

  static constexpr int most_examined = 64;  // nodes: a look at each takes 0.2 us
  Endpoint& endpoint_;
  Fabric& fabric_;
  Rank me_;
  Fiber* fiber_ = nullptr;  // what the node runs as, if not as a thread
  WaitPolicy policy_;
  Competition competition_;
  std::chrono::nanoseconds limit_{0};
};

}
