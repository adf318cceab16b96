#include <chrono>
#include <ctime>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/doorbell.hpp"
#include "base/pause.hpp"

namespace vnode {
namespace {

bool membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0) == 0; }

}  // namespace

std::atomic<FrequentFence> frequent_fence =
    membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)
        ? FrequentFence::kernel
        : FrequentFence::own;

void heavy_barrier(Fencing fencing) noexcept {
  if constexpr (!sanitized_threads) {
    if (fencing == Fencing::both_sides) return std::atomic_thread_fence(std::memory_order_seq_cst);
    FrequentFence fence = frequent_fence.load(std::memory_order_acquire);  // pairs with (a)
    if (fence == FrequentFence::kernel) {
      if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
      // A seccomp filter that was set after main began refuses it.
      if (frequent_fence.compare_exchange_strong(fence, FrequentFence::changing, std::memory_order_seq_cst))
        fence = FrequentFence::changing;
    }
    if (fence == FrequentFence::changing) {
      // Frequent sides that began before the change have stored without a fence and may have looked already.
      // Within microseconds their stores leave the processor, which nothing but time can be asked for here.
      const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
      while (std::chrono::steady_clock::now() < end) pause();
      frequent_fence.store(FrequentFence::own, std::memory_order_release);  // (a) that time has passed
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
}

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t value,
                std::chrono::nanoseconds limit) noexcept {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
  timespec timeout{};
  timeout.tv_sec = static_cast<time_t>(seconds.count());
  timeout.tv_nsec = static_cast<long>((limit - seconds).count());
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, &timeout, nullptr, 0);
}

void futex_wake(std::atomic<std::uint32_t>& word) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace vnode
