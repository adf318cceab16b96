#pragma once

#include <chrono>
#include <ctime>
#include <pthread.h>

namespace vnode {

/// Tells threads, and fibers (room fiber), that exist at the same time from each other; never null.
using ThreadId = const void*;
/// Is the fiber that runs on this thread; null if it is the thread itself.
extern constinit thread_local ThreadId running_fiber;
/// Returns the thread that calls it, even if it is a fiber. One instruction.
inline ThreadId thread_itself() noexcept { return __builtin_thread_pointer(); }
/// Returns the fiber, or else the thread, that calls it. Takes a function call in a shared library.
inline ThreadId this_thread() noexcept { return running_fiber != nullptr ? running_fiber : thread_itself(); }

/// One of the nodes that a thread is (room team).
class RunningNode;
/// Is the node that this thread, or the fiber that runs on it, became last; null if it is none.
extern constinit thread_local RunningNode* running_node;

/// Names the clock that tells how long a thread has run; it cannot be read when the thread has ended.
using RunClock = clockid_t;
inline constexpr RunClock no_clock = -1;
/// Returns the calling thread's, for any thread of the process.
inline RunClock run_clock() noexcept {
  RunClock clock = no_clock;
  return pthread_getcpuclockid(pthread_self(), &clock) == 0 ? clock : no_clock;
}
/// Returns how long its thread has run, 0 if the clock cannot be read.
inline std::chrono::nanoseconds run_time(RunClock clock) noexcept {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace vnode
