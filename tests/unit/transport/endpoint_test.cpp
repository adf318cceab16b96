#include "transport/endpoint.hpp"

#include <atomic>
#include <chrono>
#include <doctest/doctest.h>
#include <thread>

using namespace vnode;

namespace {

Head message(std::uint32_t tag) { return {tag, 1, message_context, 0, Kind::data, 0}; }

}

TEST_CASE("who sleeps because a channel is full is woken when there is room") {
  constexpr auto too_long = std::chrono::seconds(30);
  for (const bool boost : {false, true})
    for (const bool aside : {false, true}) {
      FabricOptions options;
      options.nodes = 2;
      options.boost = boost;
      Fabric fabric(options);
      std::atomic<bool> asleep{false};
      bool woken = false;
      std::thread producer([&] {
        Endpoint out(fabric, 0);
        const auto sent = [&] { return out.send(1, message(1), out.room()); };
        while (sent()) continue;
        const auto begin = std::chrono::steady_clock::now();
        const auto full = [&] {
          if (sent()) return true;
          asleep = true;
          return false;
        };
        while (!fabric.sleep(0, full, [&] { return too_long; })) continue;
        woken = std::chrono::steady_clock::now() - begin < too_long;
      });
      while (!asleep) std::this_thread::yield();
      Endpoint in(fabric, 1);
      Head seen;
      if (aside) {
        // All of them are in the way of one that does not come.
        CHECK(in.receive(0, message(2), seen) == nullptr);
      } else {
        for (std::size_t i = 0; i < fabric.capacity(); ++i) {
          REQUIRE(in.receive(0, message(1), seen) != nullptr);
          in.done(0);
        }
      }
      producer.join();
      CHECK(woken);
    }
}
