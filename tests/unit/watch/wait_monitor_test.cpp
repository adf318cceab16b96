#include <doctest/doctest.h>
#include <exception>
#include <stdexcept>
#include <thread>

#include <vnode/error.hpp>

#include "watch/waiter.hpp"

using namespace vnode;

TEST_CASE(
    "what a node does between its looks does not count as waiting, but for an eighth of the time limit") {
  FabricOptions two;
  two.nodes = 2;
  Fabric fabric(two);
  PollMonitor monitor;
  const auto look = [&] {
    return monitor.look(
        fabric, 0, std::chrono::milliseconds(80), [] { return false; },
        [] {
          return Awaited{nullptr, message_context, 7, 0, 1};
        });
  };
  for (int i = 0; i < 100; ++i) CHECK_FALSE(look());
  for (int i = 0; i < 4; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    for (int again = 0; again < 1024; ++again) CHECK_FALSE(look());
  }
  CHECK_THROWS_AS(
      [&] {
        for (;;) look();
      }(),
      TimeLimitExceeded);
}

TEST_CASE("who looks slowly asks the clock each time, and learns soon that there is no hope") {
  FabricOptions two;
  two.nodes = 2;
  Fabric fabric(two);
  fabric.shared(1).left.store(1);
  PollMonitor monitor;
  const auto look = [&] {
    return monitor.look(
        fabric, 0, std::chrono::nanoseconds(0), [] { return false; },
        [] {
          return Awaited{nullptr, message_context, 7, 0, 1};
        });
  };
  CHECK_THROWS_AS(
      [&] {
        for (int i = 0; i < 40; ++i) {
          look();
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
      }(),
      Mismatch);
}

TEST_CASE("a look is at some of many nodes, and each time at the next, until all have been looked at") {
  FabricOptions options;
  options.nodes = 1000;
  options.long_wait = std::chrono::nanoseconds(5);
  Fabric fabric(options);
  const Context& all = fabric.world();
  const auto looks_until = [&](Rank gone) {
    fabric.shared(gone).left.store(1);
    WaitMonitor monitor(fabric, 0, std::chrono::nanoseconds(0));
    const auto look = [&] {
      return monitor.look([] { return false; }, [&] { return Awaited{&all, all.id(), 1, 0, 999, 7}; });
    };
    int looks = 0;
    // A look that is not due yet looks at nobody.
    CHECK_THROWS_AS(
        [&] {
          for (;; ++looks) {
            look();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
        }(),
        Mismatch);
    fabric.shared(gone).left.store(0);
    return looks;
  };
  CHECK(looks_until(15) == 0);
  CHECK(looks_until(16) == 1);
  CHECK(looks_until(200) == 200 / 16);
  CHECK(looks_until(999) == 0);  // whom it waits for
}

TEST_CASE("that a node has left by a failure is no mismatch of calls, whenever it is seen") {
  FabricOptions two;
  two.nodes = 2;
  Fabric fabric(two);
  WaitMonitor monitor(fabric, 0, std::chrono::nanoseconds(0));
  fabric.abort(1, std::make_exception_ptr(std::runtime_error("no input")));
  fabric.shared(1).left.store(1);
  REQUIRE(monitor.is_hopeless(Awaited{nullptr, message_context, 7, 0, 1}));
  CHECK_THROWS_WITH_AS(monitor.give_up(), "node 1 has failed: no input", Aborted);
}
