#include "watch/waiter.hpp"

#include <chrono>
#include <cstdint>
#include <doctest/doctest.h>
#include <limits>

#include "transport/endpoint.hpp"
#include "transport/fabric.hpp"

using namespace vnode;

namespace {

/// Returns whether node 0 of two sleeps in a wait of 20 ms in which it gets on in every look, or in a wait in
/// which it never does.
bool sleeps(bool gets_on) {
  using Clock = std::chrono::steady_clock;
  FabricOptions options;
  options.nodes = 2;
  Fabric fabric(options);
  Endpoint endpoint(fabric, 0);
  Waiter waiter(endpoint, {.spin_until = std::chrono::nanoseconds(0),
                           .yield_until = std::chrono::milliseconds(1),
                           .slice = std::numeric_limits<Ticks>::max()});
  const auto begin = Clock::now();
  bool slept = false;
  int looks = 0;
  Awaited awaited{.peer = 1, .message = "recv"};
  const auto poll = [&] {
    if (gets_on) ++awaited.progress;
    const bool long_wait = Clock::now() - begin >= std::chrono::milliseconds(20) && ++looks >= 1000;
    return slept || (gets_on && long_wait);
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
