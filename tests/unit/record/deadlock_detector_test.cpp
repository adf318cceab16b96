#include "record/deadlock_detector.hpp"

#include <atomic>
#include <chrono>
#include <doctest/doctest.h>
#include <optional>
#include <string>
#include <thread>

#include "transport/endpoint.hpp"
#include "watch/deadlock_text.hpp"
#include "watch/deadlock_vote.hpp"
#include "watch/wait_monitor.hpp"

using vnode::DeadlockDetector;

namespace {

using Answer = DeadlockDetector::Answer;

}  // namespace

TEST_CASE("a deadlock is certain when all nodes are counted and each has confirmed in this epoch") {
  DeadlockDetector all(3, 3);
  CHECK_FALSE(all.begin());
  CHECK_FALSE(all.begin());
  CHECK_FALSE(all.asks({}));
  CHECK(all.begin());
  const auto epoch = all.asks({});
  REQUIRE(epoch);
  CHECK(epoch->confirmed == 0);
  CHECK_FALSE(all.asks(epoch->epoch));
  const Answer first = all.confirm(epoch->epoch);
  CHECK(first.state == Answer::noted);
  CHECK(first.confirmed == 1);
  CHECK(all.asks({})->confirmed == 1);
  CHECK(all.confirm(epoch->epoch).state == Answer::noted);
  CHECK(all.confirm(epoch->epoch).state == Answer::certain);
}

TEST_CASE("a node that goes on ends the epoch, and what was confirmed in it counts no more") {
  DeadlockDetector all(2, 2);
  all.begin();
  all.begin();
  const auto before = all.asks({});
  REQUIRE(before);
  CHECK(all.confirm(before->epoch).state == Answer::noted);
  all.end();
  CHECK_FALSE(all.asks({}));
  CHECK(all.confirm(before->epoch).state == Answer::changed);
  CHECK(all.begin());
  CHECK(all.confirm(before->epoch).state == Answer::changed);
  const auto epoch = all.asks(before->epoch);
  REQUIRE(epoch);
  CHECK(epoch->epoch != before->epoch);
  CHECK(all.confirm(epoch->epoch).state == Answer::noted);
  CHECK(all.confirm(epoch->epoch).state == Answer::certain);
}

TEST_CASE("who has left the run is counted, and confirms nothing") {
  DeadlockDetector all(4, 4);
  all.begin();
  CHECK_FALSE(all.leave());
  all.begin();
  CHECK(all.leave());
  const auto epoch = all.asks({});
  REQUIRE(epoch);
  CHECK(all.confirm(epoch->epoch).state == Answer::noted);
  CHECK(all.confirm(epoch->epoch).state == Answer::certain);
  all.pronounce("a deadlock");
  REQUIRE(all.verdict() != nullptr);
  CHECK(*all.verdict() == "a deadlock");
  all.reset();
  CHECK(all.verdict() == nullptr);
  CHECK_FALSE(all.asks({}));
  for (int node = 0; node < 3; ++node) CHECK_FALSE(all.begin());
  CHECK(all.begin());
}

TEST_CASE("a team of 32768 nodes has room in the word") {
  DeadlockDetector all(32768, 32768);
  for (int node = 1; node < 32768; ++node) all.begin();
  CHECK_FALSE(all.asks({}));
  CHECK(all.begin());
  const auto epoch = all.asks({});
  REQUIRE(epoch);
  for (int node = 1; node < 32768; ++node) all.confirm(epoch->epoch);
  CHECK(all.confirm(epoch->epoch).state == Answer::certain);
}

TEST_CASE("a node is asked when all have been counted for a while, or when another has confirmed") {
  vnode::FabricOptions options;
  options.nodes = 2;
  options.long_wait = std::chrono::nanoseconds(0);
  vnode::Fabric fabric(options);
  vnode::DeadlockDetector& all = fabric.detector();
  vnode::Endpoint endpoint(fabric, 0);
  vnode::DeadlockVote node(endpoint);
  vnode::WaitMonitor monitor(fabric, 0, std::chrono::nanoseconds(0));
  const auto look = [&] {
    const auto poll = [] { return false; };
    const auto awaited = [] { return vnode::Awaited{nullptr, vnode::message_context, 7, 0, 1}; };
    const auto serve = [](bool) {};
    return node.look(monitor, poll, awaited, serve);
  };
  CHECK_FALSE(look());  // counted from now on
  CHECK_FALSE(node.is_asked());
  const auto wait_long = [&](std::chrono::nanoseconds time) {
    fabric.set_waits(vnode::Fencing::both_sides, time);
  };
  wait_long(std::chrono::hours(1));
  all.begin();
  CHECK_FALSE(node.is_asked());
  CHECK(node.nap() == std::chrono::minutes(30));
  wait_long(std::chrono::nanoseconds(0));
  CHECK(node.is_asked());
  wait_long(std::chrono::hours(1));
  CHECK_FALSE(node.is_asked());
  REQUIRE(all.asks({}));
  CHECK(all.confirm(all.asks({})->epoch).state == Answer::noted);
  CHECK(node.is_asked());
  all.end();
  CHECK_FALSE(node.is_asked());
}

TEST_CASE(
    "a circle of nodes that wait for each other is named, or not at all while one writes its journal anew") {
  vnode::FabricOptions options;
  options.nodes = 3;
  vnode::Fabric fabric(options);
  const auto wait = [&](vnode::Rank rank) {
    fabric.shared(rank).journal.wait(0, 7, 0, (rank + 1) % options.nodes);
  };
  CHECK(vnode::circle_text(fabric) == "");
  for (vnode::Rank rank = 0; rank < options.nodes; ++rank) wait(rank);
  const std::string circle = "; node 0 waits for node 1, which waits for node 2, which waits for node 0";
  CHECK(vnode::circle_text(fabric) == circle);
  std::atomic<bool> over{false};
  std::thread writer([&] {
    while (!over.load(std::memory_order_relaxed)) wait(1);
  });
  int wrong = 0;
  for (int look = 0; look < 100000; ++look)
    if (const std::string text = vnode::circle_text(fabric); !text.empty() && text != circle) ++wrong;
  over.store(true, std::memory_order_relaxed);
  writer.join();
  CHECK(wrong == 0);
  fabric.shared(2).left.store(1);
  CHECK(vnode::circle_text(fabric) == "");
}
