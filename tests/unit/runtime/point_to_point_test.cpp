#include "runtime/point_to_point.hpp"

#include <array>
#include <cstddef>
#include <doctest/doctest.h>
#include <vector>

using namespace vnode;

namespace {

Correspondence with(Rank peer) { return {peer, 7, Context::messages, 0, 1, 1}; }

Profile carrying(std::size_t max_inline) {
  Profile profile;
  profile.max_inline = max_inline;
  profile.min_shared = static_cast<std::size_t>(-1);
  return profile;
}

}  // namespace

TEST_CASE("an exchange waits for what comes at once only if its own message has gone at once") {
  FabricOptions options;
  options.nodes = 2;
  Fabric fabric(options);
  Endpoint one(fabric, 0), other(fabric, 1);
  std::array<std::byte, 64> in{};
  const std::array<std::byte, 64> out{std::byte{3}};
  int looks = 0;
  const auto expect = [&](auto&& ready) {
    ++looks;
    return ready();
  };
  std::size_t carried = 0;
  SUBCASE("a long message is announced first: the other end waits for that, too") { carried = 32; }
  SUBCASE("a short one goes, and then the other's is taken, when it is there") { carried = 64; }
  const bool goes = carried == out.size();
  Sending outgoing(one, with(1), out.data(), out.size(), carrying(carried));
  Receiving incoming(one, with(1), in.data(), in.size());
  Exchange<Receiving> both{outgoing, incoming};
  CHECK_FALSE(both.at_once(expect));
  CHECK(looks == (goes ? 1 : 0));
  CHECK(outgoing.announced() == goes);
  if (!goes) return;
  Sending answer(other, with(0), out.data(), out.size(), carrying(carried));
  REQUIRE(answer.at_once(expect));
  CHECK(both.advance());
  CHECK(in == out);
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
  std::size_t room = in.size();
  SUBCASE("another tag") { sent.tag = 8; }
  SUBCASE("another type") { sent.signature = 2; }
  SUBCASE("another group of the same number") { sent.generation = 1; }
  SUBCASE("too long") { room = 63; }
  Sending outgoing(one, sent, out.data(), out.size(), carrying(64));
  REQUIRE(outgoing.at_once(now));
  Receiving incoming(other, with(0), in.data(), room);
  CHECK_FALSE(incoming.at_once(now));
  CHECK(in == std::vector<std::byte>(64));
  CHECK_FALSE(incoming.announced());
}
