#include "execute/point_to_point.hpp"

#include <array>
#include <cstddef>
#include <doctest/doctest.h>
#include <span>
#include <vector>

using namespace vnode;

namespace {

Correspondence with(Rank peer) { return {peer, 7, message_context, 0, 1, 1}; }

bool send(Endpoint& endpoint, const Correspondence& to, std::span<const std::byte> data) {
  return send_at_once(endpoint, to.peer, to.head().stamp(), to.head().name(), data.data(), data.size());
}
bool receive(Endpoint& endpoint, const Correspondence& from, std::span<std::byte> room, std::size_t& bytes) {
  return receive_at_once(endpoint, from.peer, from.head().stamp(), from.head().name(), room.data(),
                         room.size(), bytes, [](auto&& ready) { return ready(); });
}

}  // namespace

TEST_CASE("messages of two nodes to each other go and come at once while channels have room for them") {
  FabricOptions options;
  options.nodes = 2;
  Fabric fabric(options);
  Endpoint one(fabric, 0), other(fabric, 1);
  std::array<std::byte, 64> in{};
  const std::array<std::byte, 64> out{std::byte{3}};
  std::size_t bytes = 0;
  CHECK_FALSE(receive(other, with(0), in, bytes));
  std::size_t sent = 0;
  while (send(one, with(1), out)) ++sent;
  CHECK(sent > 1);
  for (std::size_t i = 0; i < sent; ++i) {
    in = {};
    REQUIRE(receive(other, with(0), in, bytes));
    CHECK(bytes == out.size());
    CHECK(in == out);
  }
  CHECK(send(one, with(1), out));
}

TEST_CASE("a message that does not answer, or does not fit, is not taken at once") {
  FabricOptions options;
  options.nodes = 2;
  Fabric fabric(options);
  Endpoint one(fabric, 0), other(fabric, 1);
  const std::vector<std::byte> out(64, std::byte{5});
  std::vector<std::byte> in(64);
  Correspondence sent = with(1);
  std::size_t room = in.size(), bytes = 0;
  SUBCASE("another tag") { sent.tag = 8; }
  SUBCASE("another type") { sent.signature = 2; }
  SUBCASE("another group of the same number") { sent.generation = 1; }
  SUBCASE("too long") { room = 63; }
  REQUIRE(send(one, sent, out));
  CHECK_FALSE(receive(other, with(0), std::span(in).first(room), bytes));
  CHECK(in == std::vector<std::byte>(64));
}
