#include "channel/board.hpp"

#include <algorithm>
#include <array>
#include <atomic>
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

// The words of four members, of whom node 0 is the owner of the board.
struct Words {
  std::array<std::atomic<Point>, 4> words{};
  int size() const { return 4; }
  Rank owner() const { return 0; }
  Point operator[](Rank rank) const {
    return words[static_cast<std::size_t>(rank)].load(std::memory_order_acquire);
  }
  void tell(Rank rank, std::uint64_t call, std::uint32_t round) {
    words[static_cast<std::size_t>(rank)].store(point(call, round), std::memory_order_release);
  }
};

constexpr std::uint32_t one_lap = Board::slots;

}

TEST_CASE("a publication is seen by whoever waits for its call, round and context, and by nobody else") {
  Board board;
  const Words words;
  const std::uint64_t value = 42;
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  Head seen;
  CHECK_FALSE(board.front(head_for(0, 0, 0), seen));
  REQUIRE(board.publish(head_for(0, 0, 8), point(0, 0), bytes, {}, words));
  CHECK(board.front(head_for(0, 0, 0), seen));
  CHECK(seen.signature == 77);
  CHECK(seen.bytes == 8);
  CHECK(std::memcmp(board.payload(seen), bytes, 8) == 0);
  CHECK_FALSE(board.front(head_for(one_lap, 0, 0), seen));
  CHECK_FALSE(board.front(head_for(0, one_lap, 0), seen));
  Head elsewhere = head_for(0, 0, 0);
  elsewhere.context = 4;
  CHECK_FALSE(board.front(elsewhere, seen));
}

TEST_CASE("a slot is written again only when all readers have read what is there") {
  const std::vector<std::vector<Rank>> some{{2}, {1, 3}, {}};
  for (const std::vector<Rank>& readers : some) {
    Board board;
    Words words;
    REQUIRE(board.publish(head_for(1, 0, 0), point(1, 0), empty, readers, words));
    for (Rank reader = 1; reader < 4; ++reader) {
      const bool needed = readers.empty() || std::ranges::find(readers, reader) != readers.end();
      if (!needed) continue;
      CHECK_FALSE(board.have_read(readers, point(1, 0), words));
      CHECK_FALSE(board.publish(head_for(1 + one_lap, 0, 0), point(1 + one_lap, 0), empty, {}, words));
      words.tell(reader, 0, 9);  // of an earlier call
      CHECK_FALSE(board.publish(head_for(1 + one_lap, 0, 0), point(1 + one_lap, 0), empty, {}, words));
      words.tell(reader, 1, 0);
    }
    CHECK(board.have_read(readers, point(1, 0), words));
    CHECK_FALSE(board.unread(words));
    REQUIRE(board.publish(head_for(1 + one_lap, 0, 0), point(1 + one_lap, 0), empty, {}, words));
    CHECK(board.unread(words)->call == 1 + one_lap);
    board.clear();
    Head seen;
    CHECK_FALSE(board.front(head_for(1 + one_lap, 0, 0), seen));
    CHECK_FALSE(board.unread(words));
  }
}

TEST_CASE("of several readings that are waited for, each is told of when it has come") {
  Board board;
  Words words;
  for (const std::uint32_t call : {1u, 2u})
    REQUIRE(board.publish(head_for(call, 0, 0), point(call, 0), empty, {}, words));
  words.tell(1, 2, 0);
  CHECK_FALSE(board.have_read({}, point(2, 0), words));
  words.tell(2, 1, 0);
  CHECK_FALSE(board.have_read({}, point(1, 0), words));
  words.tell(3, 2, 0);
  CHECK(board.have_read({}, point(1, 0), words));
  CHECK_FALSE(board.have_read({}, point(2, 0), words));
  CHECK(board.unread(words)->call == 2);
  words.tell(2, 2, 0);
  CHECK(board.have_read({}, point(2, 0), words));
}

TEST_CASE("a slot that has not been used, and a member that has not read, for billions of calls") {
  Board board;
  Words words;
  constexpr std::uint64_t later = (std::uint64_t{1} << 31) + 8 * one_lap;
  const auto publish = [&](std::uint64_t call, const std::vector<Rank>& readers) {
    return board.publish(head_for(static_cast<std::uint32_t>(call), 0, 0), point(call, 0), empty, readers,
                         words);
  };
  REQUIRE(publish(1, {1}));
  words.tell(1, 1, 0);
  REQUIRE(publish(1 + later, {2}));
  CHECK_FALSE(publish(1 + later + one_lap, {2}));  // node 2 has never read
  words.tell(2, 1 + later, 0);
  CHECK(publish(1 + later + one_lap, {2}));
  CHECK(call_of(point((std::uint64_t{7} << 32) + 3, 5)) == 3);
}

TEST_CASE("three threads read what a fourth publishes, each of it once") {
  Board board;
  Words words;
  constexpr std::uint32_t many = 5000;
  std::vector<std::thread> readers;
  std::vector<int> wrong(3);
  for (Rank reader = 1; reader < 4; ++reader)
    readers.emplace_back([&, reader] {
      for (std::uint32_t call = 1; call <= many; ++call) {
        Head seen;
        while (!board.front(head_for(call, 1, 0), seen)) std::this_thread::yield();
        std::uint32_t value;
        std::memcpy(&value, board.payload(seen), sizeof value);
        wrong[static_cast<std::size_t>(reader - 1)] += value != call * 3;
        words.tell(reader, call, 1);
      }
    });
  for (std::uint32_t call = 1; call <= many; ++call) {
    const std::uint32_t value = call * 3;
    while (!board.publish(head_for(call, 1, sizeof value), point(call, 1),
                          reinterpret_cast<const std::byte*>(&value), {}, words))
      std::this_thread::yield();
  }
  for (std::thread& reader : readers) reader.join();
  for (const int count : wrong) CHECK(count == 0);
}
