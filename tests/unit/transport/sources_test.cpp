// Receives from any source: whom they hear, and how many channels they look at for it.
#include <algorithm>
#include <deque>
#include <doctest/doctest.h>
#include <vector>

#include "transport/endpoint.hpp"

using namespace vnode;

namespace {

constexpr std::size_t resting_per_look = 8;
constexpr int looks_until_rest = 256;

Head tagged(std::uint32_t tag) { return {tag, 1, message_context, 0, Kind::data, 0}; }
MessagePattern from_any(std::uint32_t tag) { return {MessagePattern::any_source, tag, message_context, 1}; }

/// Holds the last node and those that send to it, all on one thread.
class Senders {
 public:
  explicit Senders(int senders) : fabric_(options(senders)), receiver_(fabric_, senders) {
    for (Rank rank = 0; rank < senders; ++rank) senders_.emplace_back(fabric_, rank);
  }

  Endpoint& receiver() { return receiver_; }
  bool send(Rank from, std::uint32_t tag) {
    Endpoint& sender = senders_[static_cast<std::size_t>(from)];
    return sender.send(receiver_.rank(), message(tag), sender.room());
  }
  void fill(Rank from, std::uint32_t tag) {
    while (send(from, tag)) continue;
  }
  /// Who has sent the message that is received, or -1.
  Rank receive(std::uint32_t tag, bool everywhere) {
    const auto found = receiver_.find(from_any(tag), everywhere);
    if (!found) return -1;
    receiver_.take(*found);
    return found->from;
  }

 private:
  static FabricOptions options(int senders) {
    FabricOptions made;
    made.nodes = senders + 1;
    return made;
  }
  static Head message(std::uint32_t tag) {
    Head head = tagged(tag);
    head.round = 1;
    return head;
  }

  Fabric fabric_;
  Endpoint receiver_;
  std::deque<Endpoint> senders_;
};

}  // namespace

TEST_CASE("a source that always has messages does not keep another one from being heard") {
  for (const int busy : {1, 2, 9, 40}) {
    CAPTURE(busy);
    Senders nodes(busy + 1);
    const Rank quiet = busy;
    int longest = 0, since = 0, heard = 0;
    // Which of them is looked at first depends on whose channel was made first.
    if (busy % 2 == 1) {
      REQUIRE(nodes.send(quiet, 3));
      REQUIRE(nodes.receive(3, true) == quiet);
    }
    for (int i = 0; i < 2000; ++i) {
      for (Rank rank = 0; rank < busy; ++rank) nodes.fill(rank, 3);
      if (since == 0) REQUIRE(nodes.send(quiet, 3));
      ++since;
      if (nodes.receive(3, false) != quiet) continue;
      ++heard;
      longest = std::max(longest, since);
      since = 0;
    }
    CHECK(heard >= 2000 / (busy + 1) - 1);
    CHECK(longest <= busy + 1);
  }
}

TEST_CASE(
    "a source whose messages are set aside does not keep another one from being heard, nor is overtaken") {
  Senders nodes(2);
  int heard[2] = {};
  for (int i = 0; i < 400; ++i) {
    nodes.fill(0, 3);
    // One with another tag makes all that lies before it be set aside.
    CHECK(nodes.receive(9, true) == -1);
    nodes.fill(0, 3);
    REQUIRE(nodes.send(1, 3));
    for (int j = 0; j < 4; ++j) ++heard[nodes.receive(3, true)];
  }
  CHECK(heard[0] >= 400);
  CHECK(heard[1] >= 390);
}

TEST_CASE("what has been set aside is heard although another source always has messages") {
  for (const int before : {0, 1, 2}) {
    CAPTURE(before);
    Senders nodes(2);
    // What was set aside and what arrives are looked at first in turn.
    for (int i = 0; i <= before; ++i) REQUIRE(nodes.send(0, 3));
    CHECK(nodes.receive(9, true) == -1);  // sets them aside
    for (int i = 0; i < before; ++i) REQUIRE(nodes.receive(3, true) == 0);
    int receives = 1;
    for (;; ++receives) {
      REQUIRE(receives <= 2);
      nodes.fill(1, 3);
      if (nodes.receive(3, true) == 0) break;
    }
  }
}

TEST_CASE("a source that has rested is heard although others always have messages") {
  Senders nodes(31);
  for (Rank rank = 1; rank < 31; ++rank) {
    REQUIRE(nodes.send(rank, 3));
    REQUIRE(nodes.receive(3, true) == rank);
  }
  for (int i = 0; i < 2 * looks_until_rest; ++i) REQUIRE(nodes.receive(3, false) == -1);
  nodes.fill(0, 3);
  for (Rank rank = 1; rank < 31; ++rank) {
    REQUIRE(nodes.send(rank, 3));
    int looks = 1;
    for (; nodes.receive(3, false) != rank; ++looks) nodes.fill(0, 3);
    CHECK(looks <= 5);
  }
}

TEST_CASE("a look from time to time passes few of the nodes that have long sent nothing, and misses none") {
  constexpr int senders = 200;
  Senders nodes(senders);
  for (Rank rank = 0; rank < senders; ++rank) {
    REQUIRE(nodes.send(rank, 3));
    REQUIRE(nodes.receive(3, true) == rank);
  }
  for (int i = 0; i < looks_until_rest; ++i) REQUIRE(nodes.receive(3, false) == -1);
  // All rest. How many looks pass until a node is heard says how many of the others each of them looked at.
  constexpr auto most = static_cast<int>((senders + resting_per_look - 1) / resting_per_look);
  int longest = 0;
  for (Rank rank = 0; rank < senders; ++rank) {
    REQUIRE(nodes.send(rank, 3));
    int looks = 1;
    while (nodes.receive(3, false) != rank) ++looks;
    CHECK(looks <= most);
    longest = std::max(longest, looks);
    for (int i = 0; i < looks_until_rest; ++i) REQUIRE(nodes.receive(3, false) == -1);
  }
  CHECK(longest >= most * 2 / 3);
  // Whoever looks everywhere hears it at once.
  for (int i = 0; i < 50; ++i) {
    const Rank rank = i * 67 % senders;
    REQUIRE(nodes.send(rank, 3));
    REQUIRE(nodes.receive(3, true) == rank);
  }
}

TEST_CASE("a look passes only those that have sent, however many nodes there are") {
  Senders nodes(1000);
  CHECK(nodes.receive(3, true) == -1);
  REQUIRE(nodes.send(700, 3));
  REQUIRE(nodes.send(20, 3));
  std::vector<Rank> passed;
  nodes.receiver().each_source(
      [&](Rank from) {
        passed.push_back(from);
        return false;
      },
      true);
  std::ranges::sort(passed);
  CHECK(passed == std::vector<Rank>{20, 700});
}
