#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/asymmetric.hpp"
#include "base/futex.hpp"
#include "base/pause.hpp"

namespace vnode {

/// The one word a node sleeps on, whatever it waits for.
///
/// Invariant: a node that sleeps has set `asleep_` and found nothing to do after that; whoever gives it
/// something to do looks at `asleep_` after that. The two looks cannot both miss (base/asymmetric.hpp):
/// either the sleeper sees the work, or the bringer sees the sleeper.
class Doorbell {
 public:
  /// Called by whoever has just made something visible (with a release store) that the owner may wait for.
  void ring() noexcept {
    if constexpr (sanitized_threads) {
      // (a) acq_rel with (b): all read-modify-writes of one word are ordered, and the later sees the
      // earlier's past.
      if (asleep_.fetch_add(0, std::memory_order_acq_rel) == 0) return;
    } else {
      light_barrier();  // pairs with heavy_barrier() in sleep()
      if (asleep_.load(std::memory_order_relaxed) == 0) return;
    }
    // Relaxed: the futex orders sleeper and waker, the data are ordered by their own release and acquire.
    if (asleep_.exchange(0, std::memory_order_relaxed) != 0) futex_wake(asleep_);
  }

  /// Owner only: sleeps until rung, or until `limit` has passed, unless ready() holds after announcing the
  /// sleep.
  template <class Ready>
  bool sleep(Ready&& ready, std::chrono::nanoseconds limit) {
    if constexpr (sanitized_threads) {
      asleep_.exchange(1, std::memory_order_acq_rel);  // (b) pairs with (a)
    } else {
      asleep_.store(1, std::memory_order_relaxed);  // made visible by the barrier before ready() looks
      heavy_barrier();
    }
    struct Awake {
      std::atomic<std::uint32_t>& word;
      // A read-modify-write, so that the chain from every (a) to the next (b) stays unbroken.
      ~Awake() { word.exchange(0, std::memory_order_acq_rel); }
    } awake{asleep_};
    const bool done = ready();
    if (!done) futex_wait(asleep_, 1, limit);
    return done;
  }

 private:
  alignas(cache_line) std::atomic<std::uint32_t> asleep_{0};
};

}  // namespace vnode
