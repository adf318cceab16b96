#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/pause.hpp"

namespace vnode {

// A handshake of two sides, each of which stores one word and then loads the other's, needs a full barrier
// between store and load on both sides. Here one side is frequent and the other rare, so the rare side pays
// for both: it has the kernel run a barrier on every running thread of the process (membarrier), and the
// frequent side only keeps the compiler from reordering. Where the kernel refuses membarrier both sides
// fence.
//
// ThreadSanitizer does not model fences, so code that uses these has a second form, with read-modify-write
// operations on one word, for `sanitized_threads` builds.

#if defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized_threads = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool sanitized_threads = true;
#else
inline constexpr bool sanitized_threads = false;
#endif
#else
inline constexpr bool sanitized_threads = false;
#endif

/// Tells who fences for the frequent side. Membarrier is tried before main; once it is refused, both sides
/// fence from then on.
enum class FrequentFence : int {
  own,       ///< the frequent side itself
  changing,  ///< it does now, but what it did just before may still be under way to memory
  kernel     ///< membarrier
};
extern std::atomic<FrequentFence> frequent_fence;

/// Says who fences in a handshake. Membarrier interrupts all running threads of the process, for 1 to 50 us:
/// where the rare side is not that rare, since many nodes sleep again and again, a fence on both sides is
/// cheaper.
enum class Fencing : bool {
  rare_side,   ///< the rare side has the kernel fence for both
  both_sides,  ///< each side fences for itself
};

/// Runs a full barrier on every thread of the process, by a system call; or, with Fencing::both_sides, on
/// this one.
void heavy_barrier(Fencing fencing = Fencing::rare_side) noexcept;

/// Is the frequent side's half of a handshake whose other half calls heavy_barrier() with the same Fencing.
inline void light_barrier(Fencing fencing = Fencing::rare_side) noexcept {
  if constexpr (!sanitized_threads) {
    // Relaxed: heavy_barrier() waits for those that still see an old value.
    if (fencing == Fencing::rare_side &&
        frequent_fence.load(std::memory_order_relaxed) == FrequentFence::kernel)
      std::atomic_signal_fence(std::memory_order_seq_cst);
    else
      std::atomic_thread_fence(std::memory_order_seq_cst);
  }
}

/// Sleeps while `word` is `value`, at most `limit`; may return early for no reason.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t value,
                std::chrono::nanoseconds limit) noexcept;
/// Wakes one thread that sleeps on `word`.
void futex_wake(std::atomic<std::uint32_t>& word) noexcept;

/// Is the one word that a node sleeps on, whatever it waits for.
///
/// Invariant: a node that sleeps has set `asleep_` and found nothing to do after that; whoever gives it
/// something to do looks at `asleep_` after that. The two looks cannot both miss:
/// either the sleeper sees the work, or the bringer sees the sleeper.
class Doorbell {
 public:
  /// Makes a doorbell at which who rings and who sleeps fence in this way.
  explicit Doorbell(Fencing fencing) : fencing_(fencing) {}
  /// Changes how both sides fence, while nobody rings or sleeps.
  void set_fencing(Fencing fencing) { fencing_ = fencing; }

  /// Called by whoever has just made something visible (with a release store) that the owner may wait for.
  void ring() noexcept {
    if constexpr (sanitized_threads) {
      // (a) acq_rel with (b): all read-modify-writes of one word are ordered, and the later sees the
      // earlier's past.
      if (asleep_.fetch_add(0, std::memory_order_acq_rel) == 0) return;
    } else {
      light_barrier(fencing_);  // pairs with heavy_barrier() in sleep()
      if (asleep_.load(std::memory_order_relaxed) == 0) return;
    }
    // Relaxed: the futex orders sleeper and waker, the data are ordered by their own release and acquire.
    if (asleep_.exchange(0, std::memory_order_relaxed) != 0) futex_wake(asleep_);
  }

  /// Owner only: sleeps until rung, or for longest(), unless ready() holds after announcing the sleep.
  template <class Ready, class Longest>
  bool sleep(Ready&& ready, Longest&& longest) {
    if constexpr (sanitized_threads) {
      asleep_.exchange(1, std::memory_order_acq_rel);  // (b) pairs with (a)
    } else {
      asleep_.store(1, std::memory_order_relaxed);  // made visible by the barrier before ready() looks
      heavy_barrier(fencing_);
    }
    struct Awake {
      std::atomic<std::uint32_t>& word;
      // A read-modify-write, so that the chain from every (a) to the next (b) stays unbroken.
      ~Awake() { word.exchange(0, std::memory_order_acq_rel); }
    } awake{asleep_};
    const bool done = ready();
    if (!done) futex_wait(asleep_, 1, longest());
    return done;
  }

 private:
  alignas(cache_line) std::atomic<std::uint32_t> asleep_{0};
  Fencing fencing_;
};

}  // namespace vnode
