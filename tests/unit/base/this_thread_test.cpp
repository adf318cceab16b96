#include "base/this_thread.hpp"

#include <atomic>
#include <chrono>
#include <doctest/doctest.h>
#include <thread>

using namespace vnode;

TEST_CASE("a thread's clock tells all others how long it has run, until it ends") {
  std::atomic<RunClock> clock{no_clock};
  std::atomic<bool> ends{false};
  std::thread busy([&] {
    clock = run_clock();
    while (!ends) continue;
  });
  while (clock == no_clock) std::this_thread::yield();
  const auto begin = run_time(clock);
  while (run_time(clock) <= begin) std::this_thread::yield();
  ends = true;
  busy.join();
  // The system forgets the thread some microseconds after it lets join() return.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (run_time(clock).count() != 0 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  CHECK(run_time(clock).count() == 0);
  CHECK(run_time(no_clock).count() == 0);
}
