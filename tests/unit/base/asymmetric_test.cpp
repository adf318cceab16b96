
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <doctest/doctest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <thread>

#include "base/doorbell.hpp"

using namespace vnode;

namespace {

/// From now on the kernel refuses membarrier to the calling thread; false where it cannot be told so.
bool refuse_membarrier() {
  constexpr auto number = static_cast<unsigned>(offsetof(seccomp_data, nr));
  std::array<sock_filter, 4> filter{{
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, number},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_membarrier},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  }};
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// Each stores a word of its own and looks at the other's: false as soon as both have missed.
bool meet(int rounds) {
  std::atomic<int> frequent{0}, rare{0}, turn{0};
  bool missed = false;
  std::thread other([&] {
    for (int round = 1; round <= rounds; ++round) {
      while (turn.load(std::memory_order_acquire) != 2 * round - 1) std::this_thread::yield();
      frequent.store(round, std::memory_order_relaxed);
      light_barrier();
      const bool seen = rare.load(std::memory_order_relaxed) == round;
      turn.store(seen ? 2 * round : -2 * round, std::memory_order_release);
      while (turn.load(std::memory_order_acquire) == -2 * round) std::this_thread::yield();
    }
  });
  for (int round = 1; round <= rounds; ++round) {
    turn.store(2 * round - 1, std::memory_order_release);
    rare.store(round, std::memory_order_relaxed);
    heavy_barrier();
    const bool seen = frequent.load(std::memory_order_relaxed) == round;
    int other_seen = 0;
    while ((other_seen = turn.load(std::memory_order_acquire)) == 2 * round - 1) std::this_thread::yield();
    missed |= !seen && other_seen < 0;
    turn.store(2 * round, std::memory_order_release);
  }
  other.join();
  return !missed;
}

}

TEST_CASE("where membarrier is refused, also after it was allowed, both sides fence") {
  if (sanitized_threads) return;
  CHECK(meet(2000));
  bool refused = false;
  FrequentFence before{}, after{};
  std::thread([&] {
    before = frequent_fence;
    refused = refuse_membarrier();
    heavy_barrier();
    after = frequent_fence;
    CHECK(meet(2000));
  }).join();
  if (!refused) {
    MESSAGE("the kernel sets no filter for system calls: only what it does now has been tried");
    return;
  }
  CHECK(after == FrequentFence::own);
  CHECK(meet(2000));
  // The next test finds what this one has found.
  frequent_fence = before;
}
