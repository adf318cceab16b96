#include "base/doorbell.hpp"

#include <atomic>
#include <chrono>
#include <doctest/doctest.h>
#include <thread>

using namespace vnode;

namespace {

const auto longest = [] { return std::chrono::nanoseconds(std::chrono::hours(1)); };

}

TEST_CASE("who finds something to do after announcing the sleep does not sleep") {
  Doorbell bell(Fencing::rare_side);
  CHECK(bell.sleep([] { return true; }, longest));
}

TEST_CASE("a sleep ends at its limit") {
  Doorbell bell(Fencing::rare_side);
  CHECK_FALSE(bell.sleep([] { return false; }, [] { return std::chrono::milliseconds(1); }));
}

TEST_CASE("an exception in the last look leaves the bell awake") {
  Doorbell bell(Fencing::rare_side);
  CHECK_THROWS_AS(bell.sleep([]() -> bool { throw 1; }, longest), int);
  bell.ring();
  CHECK(bell.sleep([] { return true; }, longest));
}

TEST_CASE("no ring is lost: two threads wake each other thousands of times without a time-out") {
  // A lost ring would cost an hour.
  for (const Fencing fencing : {Fencing::rare_side, Fencing::both_sides}) {
    Doorbell bells[2] = {Doorbell(fencing), Doorbell(fencing)};
    std::atomic<int> turn{0};
    constexpr int rounds = 5000;
    const auto play = [&](int me) {
      for (int round = 0; round < rounds; ++round) {
        const auto mine = [&] { return turn.load(std::memory_order_acquire) == 2 * round + me; };
        while (!mine()) bells[me].sleep(mine, longest);
        turn.store(2 * round + me + 1, std::memory_order_release);
        bells[1 - me].ring();
      }
    };
    std::thread other(play, 1);
    play(0);
    other.join();
    CHECK(turn.load() == 2 * rounds);
  }
}
