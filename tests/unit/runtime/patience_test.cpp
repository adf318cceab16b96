#include <doctest/doctest.h>
#include <exception>
#include <stdexcept>
#include <thread>

#include <vnode/error.hpp>

#include "runtime/waiter.hpp"

using namespace vnode;

TEST_CASE(
    "what a node does between its looks does not count as waiting, but for an eighth of the time limit") {
  FabricOptions two;
  two.nodes = 2;
  Fabric fabric(two);
  Patience patience;
  const auto look = [&] {
    return patience.look(
        fabric, 0, std::chrono::milliseconds(80), [] { return false; },
        [] {
          return Awaited{nullptr, Context::messages, 7, 0, 1};
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
  fabric.presence(1).left.store(1);
  Patience patience;
  const auto look = [&] {
    return patience.look(
        fabric, 0, std::chrono::nanoseconds(0), [] { return false; },
        [] {
          return Awaited{nullptr, Context::messages, 7, 0, 1};
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

TEST_CASE("that a node has left by a failure is no mismatch of calls, whenever it is seen") {
  FabricOptions two;
  two.nodes = 2;
  Fabric fabric(two);
  Vigil vigil(fabric, 0, std::chrono::nanoseconds(0));
  fabric.abort(1, std::make_exception_ptr(std::runtime_error("no input")));
  fabric.presence(1).left.store(1);
  REQUIRE(vigil.is_hopeless(Awaited{nullptr, Context::messages, 7, 0, 1}));
  CHECK_THROWS_WITH_AS(vigil.give_up(), "node 1 has failed: no input", Aborted);
}
