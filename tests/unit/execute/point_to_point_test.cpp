#include "execute/point_to_point.hpp"

#include <array>
#include <cstddef>
#include <doctest/doctest.h>
#include <vector>

using namespace vnode;

namespace {

Correspondence with(Rank peer) { return {peer, 7, message_context, 0, 1, 1}; }

}  // namespace

TEST_CASE("messages of two nodes to each other go and come at once while channels have room for them") {
  FabricOptions options;
  options.nodes = 2;
  Fabric fabric(options);
  Endpoint one(fabric, 0), other(fabric, 1);
  std::array<std::byte, 64> in{};
  const std::array<std::byte, 64> out{std::byte{3}};
  const auto now = [](auto&& ready) { return ready(); };
  std::size_t bytes = 0;
  CHECK_FALSE(receive_at_once(other, with(0), in.data(), in.size(), bytes, now));
  std::size_t sent = 0;
  while (send_at_once(one, with(1), out.data(), out.size())) ++sent;
  CHECK(sent > 1);
  for (std::size_t i = 0; i < sent; ++i) {
    in = {};
    REQUIRE(receive_at_once(other, with(0), in.data(), in.size(), bytes, now));
    CHECK(bytes == out.size());
    CHECK(in == out);
  }
  CHECK(send_at_once(one, with(1), out.data(), out.size()));
}

TEST_CASE("a message that does not answer, or does not fit, is not taken at once") {
  FabricOptions options;
  options.nodes = 2;
  Fabric fabric(options);
  Endpoint one(fabric, 0), other(fabric, 1);
  const std::vector<std::byte> out(64, std::byte{5});
  std::vector<std::byte> in(64);
  const auto now = [](auto&& ready) { return ready(); };
  Correspondence sent = with(1);
  std::size_t room = in.size(), bytes = 0;
  SUBCASE("another tag") { sent.tag = 8; }
  SUBCASE("another type") { sent.signature = 2; }
  SUBCASE("another group of the same number") { sent.generation = 1; }
  SUBCASE("too long") { room = 63; }
  REQUIRE(send_at_once(one, sent, out.data(), out.size()));
  CHECK_FALSE(receive_at_once(other, with(0), in.data(), room, bytes, now));
  CHECK(in == std::vector<std::byte>(64));
}
