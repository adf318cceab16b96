#pragma once

#include <atomic>

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

/// Who fences for the frequent side. Membarrier is tried before main; once it is refused, be it later, both
/// sides fence from then on.
enum class FrequentFence : int {
  own,       ///< the frequent side itself
  changing,  ///< it does now, but what it did just before may still be under way to memory
  kernel     ///< membarrier
};
extern std::atomic<FrequentFence> frequent_fence;

/// A full barrier on every thread of the process, at a price of a system call.
void heavy_barrier() noexcept;

/// The frequent side's half of a handshake whose other half calls heavy_barrier().
inline void light_barrier() noexcept {
  if constexpr (!sanitized_threads) {
    // Relaxed: heavy_barrier() waits for those that still see an old value.
    if (frequent_fence.load(std::memory_order_relaxed) == FrequentFence::kernel)
      std::atomic_signal_fence(std::memory_order_seq_cst);
    else
      std::atomic_thread_fence(std::memory_order_seq_cst);
  }
}

}  // namespace vnode
