#include "runtime/waiter.hpp"

#include <chrono>
#include <cstdint>
#include <doctest/doctest.h>
#include <limits>

#include "runtime/endpoint.hpp"
#include "runtime/fabric.hpp"

using namespace vnode;

namespace {

/// Whether node 0 of two goes to sleep in a wait of 20 ms, in which it gets on in every look or in none.
bool sleeps(bool gets_on) {
  FabricOptions options;
  options.nodes = 2;
  Fabric fabric(options);
  Endpoint endpoint(fabric, 0);
  Waiter waiter(endpoint, {.spin_until = std::chrono::nanoseconds(0),
                           .yield_until = std::chrono::milliseconds(1),
                           .slice = std::numeric_limits<Ticks>::max()});
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  bool slept = false;
  Awaited awaited{.peer = 1, .message = "recv"};
  const auto poll = [&] {
    awaited.progress += gets_on ? 1 : 0;
    return std::chrono::steady_clock::now() >= end;
  };
  waiter.wait(
      poll, [&] { return awaited; }, [] { return nullptr; },
      [&](bool to_sleep) { slept = slept || to_sleep; });
  return slept;
}

}  // namespace

TEST_CASE("a node sleeps when it has waited long and has not got on meanwhile") {
  CHECK(sleeps(false));
  CHECK_FALSE(sleeps(true));
}
