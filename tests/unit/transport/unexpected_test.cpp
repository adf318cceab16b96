#include <cstring>
#include <doctest/doctest.h>

#include "transport/endpoint.hpp"

using namespace vnode;

namespace {

Head head(std::uint16_t context, std::uint32_t call, Kind kind = Kind::data, std::uint16_t round = 0) {
  return {call, 1, context, round, kind, sizeof(int)};
}

void add(UnexpectedMessages& messages, Rank from, const Head& head, int content) {
  std::memcpy(messages.add(from, head).payload(), &content, sizeof content);
}

/// Returns what the oldest message holds that answers; it is removed. -1: there is none.
int taken(UnexpectedMessages& messages, Rank from, const Head& expected) {
  UnexpectedMessages::Message* const message = messages.find(from, expected);
  if (message == nullptr) return -1;
  int content = 0;
  std::memcpy(&content, message->payload(), sizeof content);
  messages.remove(from, *message);
  return content;
}

}  // namespace

TEST_CASE("unexpected messages are found by sender, context, call, round and kind, in the order they came") {
  UnexpectedMessages messages;
  CHECK(messages.empty());
  CHECK(!messages.oldest());
  for (int i = 0; i < 3; ++i) {
    add(messages, 1, head(5, 7), 10 + i);
    add(messages, 2, head(5, 7), 20 + i);
    add(messages, 1, head(6, 7), 30 + i);
    add(messages, 1, head(5, 8), 40 + i);
    add(messages, 1, head(5, 7, Kind::data, 1), 50 + i);
    add(messages, 1, head(5, 7, Kind::destination), 60 + i);
  }
  CHECK(messages.oldest()->first == 1);
  for (int i = 0; i < 3; ++i) {
    // What was announced and what came along stand in one line.
    CHECK(taken(messages, 1, head(5, 7, Kind::source)) == 10 + i);
    CHECK(taken(messages, 2, head(5, 7)) == 20 + i);
    CHECK(taken(messages, 1, head(6, 7)) == 30 + i);
    CHECK(taken(messages, 1, head(5, 8)) == 40 + i);
    CHECK(taken(messages, 1, head(5, 7, Kind::data, 1)) == 50 + i);
    CHECK(taken(messages, 1, head(5, 7, Kind::destination)) == 60 + i);
  }
  CHECK(taken(messages, 1, head(5, 7)) == -1);
  CHECK(messages.empty());
  add(messages, 3, head(1, 1), 1);
  messages.clear();
  CHECK(messages.empty());
}
