#include "channel/board.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <thread>
#include <vector>

using namespace vnode;

namespace {

const std::byte empty[1]{};

Head head_for(std::uint32_t call, std::uint16_t round, std::size_t bytes) {
  return {call, 77, 3, round, Kind::data, static_cast<std::uint16_t>(bytes)};
}

}

TEST_CASE("a publication is seen by whoever waits for its call, round and context, and by nobody else") {
  Board board;
  const std::uint64_t value = 42;
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  Head seen;
  CHECK_FALSE(board.front(head_for(0, 0, 0), seen));
  REQUIRE(board.publish(head_for(0, 0, 8), bytes, 2));
  CHECK(board.front(head_for(0, 0, 0), seen));
  CHECK(seen.signature == 77);
  CHECK(seen.bytes == 8);
  CHECK(std::memcmp(board.payload(seen), bytes, 8) == 0);
  CHECK_FALSE(board.front(head_for(4, 0, 0), seen));
  CHECK_FALSE(board.front(head_for(0, 4, 0), seen));
  Head elsewhere = head_for(0, 0, 0);
  elsewhere.context = 4;
  CHECK_FALSE(board.front(elsewhere, seen));
}

TEST_CASE("a slot is written again only when all readers have taken what is there") {
  Board board;
  for (const std::uint32_t readers : {1u, 3u}) {
    REQUIRE(board.publish(head_for(1, 0, 0), empty, readers));
    for (std::uint32_t reader = 0; reader < readers; ++reader) {
      CHECK_FALSE(board.taken(head_for(1, 0, 0)));
      CHECK_FALSE(board.publish(head_for(5, 0, 0), empty, 1));
      CHECK(board.publish(head_for(2 + reader, 0, 0), empty, 0));
      board.take(head_for(1, 0, 0));
    }
    CHECK(board.taken(head_for(1, 0, 0)));
  }
  board.clear();
  Head seen;
  CHECK_FALSE(board.front(head_for(1, 0, 0), seen));
  CHECK(board.taken(head_for(1, 0, 0)));
}

TEST_CASE("three threads read what a fourth publishes, each of it once") {
  Board board;
  constexpr std::uint32_t many = 5000;
  std::vector<std::thread> readers;
  std::vector<int> wrong(3);
  for (std::size_t reader = 0; reader < 3; ++reader)
    readers.emplace_back([&, reader] {
      for (std::uint32_t call = 0; call < many; ++call) {
        Head seen;
        while (!board.front(head_for(call, 1, 0), seen)) std::this_thread::yield();
        std::uint32_t value;
        std::memcpy(&value, board.payload(seen), sizeof value);
        wrong[reader] += value != call * 3;
        board.take(seen);
      }
    });
  for (std::uint32_t call = 0; call < many; ++call) {
    const std::uint32_t value = call * 3;
    while (!board.publish(head_for(call, 1, sizeof value), reinterpret_cast<const std::byte*>(&value), 3))
      std::this_thread::yield();
  }
  for (std::thread& reader : readers) reader.join();
  for (const int count : wrong) CHECK(count == 0);
}

TEST_CASE("a publication that another has replaced has been taken, whoever reads the other") {
  for (const std::uint32_t readers : {1u, 2u}) {
    Board board;
    REQUIRE(board.publish(head_for(1, 0, 0), empty, readers));
    for (std::uint32_t reader = 0; reader < readers; ++reader) board.take(head_for(1, 0, 0));
    REQUIRE(board.publish(head_for(5, 0, 0), empty, readers));
    CHECK(board.taken(head_for(1, 0, 0)));
    CHECK_FALSE(board.taken(head_for(5, 0, 0)));
    CHECK_FALSE(board.publish(head_for(9, 0, 0), empty, readers));
  }
}
