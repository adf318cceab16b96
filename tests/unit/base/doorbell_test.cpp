#include "base/doorbell.hpp"

#include <atomic>
#include <chrono>
#include <doctest/doctest.h>
#include <thread>

using namespace vnode;

TEST_CASE("who finds something to do after announcing the sleep does not sleep") {
  Doorbell bell;
  CHECK(bell.sleep([] { return true; }, std::chrono::hours(1)));
}

TEST_CASE("a sleep ends at its limit") {
  Doorbell bell;
  CHECK_FALSE(bell.sleep([] { return false; }, std::chrono::milliseconds(1)));
}

TEST_CASE("an exception in the last look leaves the bell awake") {
  Doorbell bell;
  CHECK_THROWS_AS(bell.sleep([]() -> bool { throw 1; }, std::chrono::hours(1)), int);
  bell.ring();
  CHECK(bell.sleep([] { return true; }, std::chrono::hours(1)));
}

TEST_CASE("no ring is lost: two threads wake each other thousands of times without a time-out") {
  // A lost ring would cost an hour.
  Doorbell bells[2];
  std::atomic<int> turn{0};
  constexpr int rounds = 5000;
  const auto play = [&](int me) {
    for (int round = 0; round < rounds; ++round) {
      const auto mine = [&] { return turn.load(std::memory_order_acquire) == 2 * round + me; };
      while (!mine()) bells[me].sleep(mine, std::chrono::hours(1));
      turn.store(2 * round + me + 1, std::memory_order_release);
      bells[1 - me].ring();
    }
  };
  std::thread other(play, 1);
  play(0);
  other.join();
  CHECK(turn.load() == 2 * rounds);
}
