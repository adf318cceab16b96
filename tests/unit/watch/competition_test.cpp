#include <chrono>
#include <doctest/doctest.h>
#include <thread>

#include "base/this_thread.hpp"
#include "transport/fabric.hpp"
#include "watch/waiter.hpp"

using namespace vnode;

namespace {

constexpr Ticks turn = 5'000, time_slice = 10'000'000;

/// Returns how many waits in a row the node sleeps at once, in yields of `took` otherwise.
int sleeping_waits(Competition& competition, Ticks took) {
  int waits = 0;
  for (;; ++waits) {
    competition.begin_wait();
    if (!competition.sleeps()) break;
  }
  competition.note(took);
  return waits;
}

}

TEST_CASE("a node whose yields are short never sleeps at once, however many other nodes have their turns") {
  Competition competition;
  for (int wait = 0; wait < 10'000; ++wait) {
    competition.begin_wait();
    for (int i = 0; i < 100; ++i) competition.note(turn);
    REQUIRE_FALSE(competition.sleeps());
  }
}

TEST_CASE(
    "a node that got its core back after a time slice sleeps from then on, and tries ever more seldom") {
  Competition competition;
  competition.begin_wait();
  competition.note(time_slice);
  CHECK(competition.sleeps());  // in the wait that it is in
  CHECK(sleeping_waits(competition, time_slice) == 1);
  CHECK(sleeping_waits(competition, time_slice) == 2);
  CHECK(sleeping_waits(competition, time_slice) == 4);
  for (int i = 0; i < 10; ++i) sleeping_waits(competition, time_slice);
  CHECK(sleeping_waits(competition, time_slice) == 1024);
}

TEST_CASE("once nobody competes any more, the node forgets that anybody did") {
  Competition competition;
  for (int i = 0; i < 15; ++i) sleeping_waits(competition, time_slice);
  CHECK(sleeping_waits(competition, turn) == 1024);
  for (int wait = 0; wait < 20; ++wait) CHECK(sleeping_waits(competition, turn) == 0);
  competition.note(time_slice);
  CHECK(sleeping_waits(competition, turn) == 1);
}

TEST_CASE("where many nodes share a core, their turns together are not taken for a time slice of others") {
  constexpr Ticks turns = 2'000'000;
  Competition alone, many(4'000'000);
  for (Competition* const one : {&alone, &many}) {
    one->begin_wait();
    one->note(turns);
  }
  CHECK(alone.sleeps());
  CHECK_FALSE(many.sleeps());
}

TEST_CASE("long turns of the team's own nodes are examined, and then no reason to sleep") {
  Competition competition;
  CHECK_FALSE(competition.examines());
  competition.begin_wait();
  competition.note(time_slice);  // the first is not known to be its own
  CHECK(competition.examines());
  CHECK(sleeping_waits(competition, turn) == 1);
  for (int wait = 0; wait < 10; ++wait) {
    competition.begin_wait();
    competition.note(time_slice, true);
    REQUIRE_FALSE(competition.sleeps());
  }
  competition.note(time_slice, false);
  CHECK(competition.sleeps());
  CHECK(sleeping_waits(competition, turn) == 2);
}

TEST_CASE("nodes that sleep have not had the cores, and one that computes has had one") {
  FabricOptions options;
  options.nodes = 2;
  Fabric fabric(options);
  fabric.shared(0).clock = run_clock();  // the other's cannot be read: it counts as one that never ran
  const CoreUse asleep(fabric);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  CHECK_FALSE(asleep.has_been(1));
  // On a busy machine this thread may have less than half of its core, but not for ever.
  bool computed = false;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!computed && std::chrono::steady_clock::now() < end) {
    const CoreUse busy(fabric);
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(10);
    while (std::chrono::steady_clock::now() < until) continue;
    computed = busy.has_been(1);
    CHECK_FALSE(busy.has_been(2));
  }
  CHECK(computed);
}
