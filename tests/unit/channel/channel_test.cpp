#include "channel/channel.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <doctest/doctest.h>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

#include "memory.hpp"

using namespace vnode;

namespace {

std::vector<std::byte> message(std::size_t bytes, int seed) {
  std::vector<std::byte> made(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    made[i] = static_cast<std::byte>(seed * 31 + static_cast<int>(i) * 7);
  return made;
}

Head head_for(std::uint32_t call, std::size_t bytes) {
  return {call,       call * 3,
          5,          static_cast<std::uint16_t>(call % 1000),
          Kind::data, static_cast<std::uint16_t>(bytes)};
}

struct Room {
  alignas(cache_line) std::array<std::byte, max_inline> bytes;
};

}

TEST_CASE_TEMPLATE("a head survives the queue", Engine, LineRing, BoostQueue) {
  vnode_test::HeapMemory memory;
  Channel channel(std::in_place_type<Engine>, 8, memory);
  const Head sent{0xfffffffe, 0x89abcdef, 0xfffe, 0xfffd, Kind::destination, 17};
  REQUIRE(channel.push(sent, message(17, 1).data()));
  Head seen;
  REQUIRE(channel.front(seen));
  CHECK(seen.call == sent.call);
  CHECK(seen.signature == sent.signature);
  CHECK(seen.context == sent.context);
  CHECK(seen.round == sent.round);
  CHECK(seen.kind == sent.kind);
  CHECK(seen.bytes == sent.bytes);
}

TEST_CASE_TEMPLATE("payload of every size arrives, in order, however the ring's end falls", Engine, LineRing,
                   BoostQueue) {
  vnode_test::HeapMemory memory;
  Channel channel(std::in_place_type<Engine>, 64, memory);
  Room room;
  std::uint32_t call = 0;
  for (int lap = 0; lap < 3; ++lap)
    for (std::size_t bytes = 0; bytes <= max_inline; bytes += bytes < 200 ? 1 : 61) {
      const auto sent = message(bytes, static_cast<int>(call));
      REQUIRE(channel.push(head_for(call, bytes), sent.data()));
      Head seen;
      REQUIRE(channel.front(seen));
      REQUIRE(seen.call == call);
      REQUIRE(seen.bytes == bytes);
      const std::byte* payload = channel.payload(bytes, room.bytes.data());
      REQUIRE(std::equal(sent.begin(), sent.end(), payload));
      channel.pop(bytes);
      REQUIRE_FALSE(channel.front(seen));
      ++call;
    }
}

TEST_CASE_TEMPLATE("a full channel refuses, and takes half a ring at once when all has been read", Engine,
                   LineRing, BoostQueue) {
  for (const std::size_t capacity : {4u, 8u, 64u}) {
    vnode_test::HeapMemory memory;
    Channel channel(std::in_place_type<Engine>, capacity, memory);
    const std::size_t half = std::min(payload_of(capacity / 2), max_inline);
    const auto bytes = message(half, 3);
    for (int start = 0; start < 100; ++start) {
      std::size_t sent = 0, lines = 0;
      Head seen;
      while (channel.push(head_for(1, 8), bytes.data())) ++sent;
      CHECK(sent == capacity - lines);
      for (std::size_t i = 0; i < sent; ++i) {
        REQUIRE(channel.front(seen));
        channel.pop(8);
      }
      REQUIRE_FALSE(channel.front(seen));
      REQUIRE(channel.push(head_for(2, half), bytes.data()));
      REQUIRE(channel.front(seen));
      Room room;
      channel.payload(half, room.bytes.data());
      channel.pop(half);
      // Another position to begin from, and nothing kept back by the consumer.
      for (int i = 0; i < static_cast<int>(capacity) + start % 3; ++i) {
        REQUIRE(channel.push(head_for(3, 0), bytes.data()));
        REQUIRE(channel.front(seen));
        channel.pop(0);
      }
      channel.clear();
    }
  }
}

TEST_CASE_TEMPLATE("a cleared channel is empty and has all its room", Engine, LineRing, BoostQueue) {
  vnode_test::HeapMemory memory;
  Channel channel(std::in_place_type<Engine>, 16, memory);
  for (int round = 0; round < 10; ++round) {
    int sent = 0;
    const std::byte nothing[1]{};
    while (channel.push(head_for(1, 0), nothing)) ++sent;
    CHECK(sent == 16);
    Head seen;
    channel.front(seen);
    channel.pop(0);
    channel.clear();
    CHECK_FALSE(channel.front(seen));
  }
}

TEST_CASE_TEMPLATE("two threads pass messages of all sizes through a small ring", Engine, LineRing,
                   BoostQueue) {
  vnode_test::HeapMemory memory;
  Channel channel(std::in_place_type<Engine>, 16, memory);
  constexpr std::uint32_t many = 20000;
  const auto size_of = [](std::uint32_t call) { return (call * 37) % payload_of(8); };
  std::thread producer([&] {
    for (std::uint32_t call = 0; call < many; ++call) {
      const auto bytes = message(size_of(call), static_cast<int>(call));
      while (!channel.push(head_for(call, bytes.size()), bytes.data())) std::this_thread::yield();
    }
  });
  Room room;
  int wrong = 0;
  for (std::uint32_t call = 0; call < many; ++call) {
    Head seen;
    while (!channel.front(seen)) std::this_thread::yield();
    const auto expected = message(size_of(call), static_cast<int>(call));
    const std::byte* payload = channel.payload(seen.bytes, room.bytes.data());
    wrong += seen.call != call || seen.bytes != expected.size() ||
             !std::equal(expected.begin(), expected.end(), payload);
    channel.pop(seen.bytes);
  }
  producer.join();
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("a producer that found no room finds some when the consumer says so, and not before",
                   Engine, LineRing, BoostQueue) {
  for (const std::size_t capacity : {4u, 8u, 64u}) {
    vnode_test::HeapMemory memory;
    Channel channel(std::in_place_type<Engine>, capacity, memory);
    const std::byte nothing[1]{};
    Head seen;
    for (int start = 0; start < 20; ++start) {
      while (channel.push(head_for(1, 0), nothing)) continue;
      for (bool room = false; !room;) {
        REQUIRE_FALSE(channel.push(head_for(1, 0), nothing));
        REQUIRE(channel.front(seen));
        room = channel.pop(0);
      }
      REQUIRE(channel.push(head_for(1, 0), nothing));
    }
  }
}

TEST_CASE("a line of 65,536 laps ago is not taken for a message") {
  constexpr std::size_t capacity = 4;
  vnode_test::HeapMemory memory;
  LineRing ring(capacity, memory);
  Room room;
  Head seen;
  std::uint32_t call = 0;
  const auto pass = [&](std::size_t bytes) {
    const auto sent = message(bytes, static_cast<int>(call));
    REQUIRE(ring.push(head_for(call, bytes), sent.data()));
    REQUIRE(ring.front(seen));
    REQUIRE(seen.call == call++);
    REQUIRE(std::ranges::equal(sent, std::span(ring.payload(bytes, room.bytes.data()), bytes)));
    ring.pop(bytes);
    REQUIRE_FALSE(ring.front(seen));
  };
  // Every other line begins no message, until laps are counted from 0 again.
  for (int messages = 0; messages < 2 * 65535; ++messages) pass(payload_of(2));
  for (int messages = 0; messages < 20; ++messages) pass(payload_of(messages % 3 == 0 ? 1 : 2));
}
