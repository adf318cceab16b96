// Tests what a team counts of its calls: exactly those that there were, in their rows.
#include <atomic>
#include <chrono>
#include <doctest/doctest.h>
#include <functional>
#include <latch>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <vnode/lab/statistics_json.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/own_schedule.hpp>
#include <vnode/vnode.hpp>

#include "counting.hpp"
#include "joining.hpp"
#include "record/call_counters.hpp"
#include "sentence.hpp"

using namespace vnode_test;

namespace {

using Calls = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("a size class holds what is longer than half of its bound") {
  CHECK(vnode::most_bytes_of(vnode::size_class_of(0)) == 0);
  CHECK(vnode::most_bytes_of(vnode::size_class_of(1)) == 1);
  CHECK(vnode::most_bytes_of(vnode::size_class_of(5)) == 8);
  CHECK(vnode::most_bytes_of(vnode::size_class_of(8)) == 8);
  CHECK(vnode::most_bytes_of(vnode::size_class_of(9)) == 16);
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  CHECK(vnode::most_bytes_of(vnode::size_class_of(most)) == most);
}

TEST_CASE("a node's waits for many peers are kept for each") {
  vnode::WaitsByPeer waits;
  for (int round = 0; round < 2; ++round)
    for (int peer = 0; peer < 20; ++peer) waits.add(peer, static_cast<vnode::Ticks>(peer), 20);
  waits.add(-1, 7, 20);
  std::vector<vnode::Ticks> seen(20);
  waits.each([&](vnode::Rank peer, vnode::Ticks ticks) { seen.at(static_cast<std::size_t>(peer)) += ticks; });
  for (std::size_t peer = 0; peer < seen.size(); ++peer) CHECK(seen[peer] == 2 * peer);
}

TEST_CASE("groups of the same nodes are one, and beyond a thousand they are the others") {
  vnode::CountedGroups groups;
  CHECK(groups.number({0, 1}, "full") == 0);
  CHECK(groups.number({1, 0}, "full") == 1);
  CHECK(groups.number({0, 1}, "ring") == 2);
  CHECK(groups.number({0, 1}, "full") == 0);
  for (int i = 3; i < 1000; ++i) CHECK(groups.number({i}, "full") == static_cast<std::uint32_t>(i));
  CHECK(groups.number({1001}, "full") == 1000);
  CHECK(groups.number({1002}, "full") == 1000);
  CHECK(groups.number({999}, "full") == 999);
  CHECK(groups.entries().size() == 1001);
  CHECK(groups.entries().back().nodes.empty());
}

TEST_CASE("without the option nothing is counted, and the statistics say how to have it") {
  vnode::Team team(2, patient());
  team.run([](vnode::Node& me) { me.barrier(); });
  const Statistics none = team.statistics();
  CHECK(!none.on);
  CHECK(none.rows.empty());
  CHECK(none.text().find("TeamOptions::statistics and VNODE_STATS switch it on") != std::string::npos);
  CHECK(vnode::statistics_from_json(none.json()) == none);
}

TEST_CASE("blocking, nonblocking and planned calls are counted once each, by operation, algorithm and size") {
  for (const int p : {1, 2, 3, 8}) {
    CAPTURE(p);
    vnode::Team team(p, vnode::shapes::full{}, counting());
    team.run([](vnode::Node& me) {
      std::vector<double> x(100, 1.0), y(3);
      const vnode::CallOptions by_ring{.algorithm = "all_reduce_ring"};
      for (int i = 0; i < 7; ++i) me.all_reduce(x, std::plus<>{}, by_ring);
      for (int i = 0; i < 5; ++i) {
        vnode::Request sum = me.nonblocking().all_reduce(x, std::plus<>{}, by_ring);
        if (i % 2 == 0)
          sum.wait();
        else
          while (!sum.test()) continue;
      }
      vnode::Persistent planned = me.persistent().all_reduce(x, std::plus<>{}, by_ring);
      for (int i = 0; i < 3; ++i) {
        planned.start();
        planned.wait();
      }
      for (int i = 0; i < 4; ++i) me.broadcast(y, 0);
      me.barrier();
    });
    const Statistics statistics = team.statistics();
    check_sums(statistics);
    CHECK(statistics.on);
    CHECK(statistics.nodes == p);
    CHECK(statistics.rows.size() == 3);
    const auto every = static_cast<std::size_t>(p);
    const CallStatistics sum = row_of(statistics, "all_reduce");
    CHECK(sum.algorithm == "all_reduce_ring");
    CHECK(sum.calls == 15);
    CHECK(sum.bytes == 15 * 800);
    CHECK(sum.up_to_bytes == 1024);
    CHECK(sum.mean_bytes() == 800);
    CHECK(calls_by_node(sum) == Calls(every, 15));
    const CallStatistics broadcast = row_of(statistics, "broadcast");
    CHECK(broadcast.calls == 4);
    CHECK(broadcast.bytes == 4 * 24);
    CHECK(broadcast.up_to_bytes == 32);
    CHECK(row_of(statistics, "barrier").calls == 1);
    CHECK(row_of(statistics, "barrier").bytes == 0);
    if (p == 1) CHECK(sum.last == -1);
  }
}

TEST_CASE(
    "sizes on both sides of a class's bound, algorithms, and the order of operands are rows of their own") {
  vnode::Team team(4, vnode::shapes::full{}, counting());
  team.run([](vnode::Node& me) {
    for (const std::size_t count : {8u, 9u, 15u, 16u, 17u}) {
      std::vector<char> x(count);
      me.broadcast(x, 0, {.algorithm = "broadcast_binomial"});
    }
    std::vector<char> x(16);
    me.broadcast(x, 0, {.algorithm = "broadcast_linear"});
    std::vector<int> y(4);
    me.all_reduce(y, [](int a, int) { return a; });
    me.all_reduce(y, std::plus<>{});
    me.all_reduce(y, std::plus<>{}, {.deterministic = true});
  });
  const Statistics statistics = team.statistics();
  check_sums(statistics);
  const auto calls = [&](const std::string& algorithm, std::size_t up_to) {
    std::uint64_t sum = 0;
    for (const CallStatistics& row : statistics.rows)
      if (row.algorithm == algorithm && row.up_to_bytes == up_to) sum += row.calls;
    return sum;
  };
  CHECK(calls("broadcast_binomial", 8) == 1);
  CHECK(calls("broadcast_binomial", 16) == 3);
  CHECK(calls("broadcast_binomial", 32) == 1);
  CHECK(calls("broadcast_linear", 16) == 1);
  int in_order = 0, deterministic = 0, all = 0;
  for (const CallStatistics& row : statistics.rows) {
    if (row.operation != "all_reduce") continue;
    ++all;
    CHECK(row.calls == 1);
    in_order += row.in_order && !row.deterministic;
    deterministic += row.deterministic;
  }
  CHECK(all == 3);
  CHECK(in_order == 1);
  CHECK(deterministic == 1);
}

TEST_CASE("calls with a count for each rank are one row, whose bytes are what all nodes bring") {
  vnode::Team team(4, vnode::shapes::full{}, counting());
  const std::vector<std::size_t> counts{1, 2, 3, 100};
  const std::size_t all = 106;
  team.run([&](vnode::Node& me) {
    const auto own = static_cast<std::size_t>(me.rank());
    const std::vector<int> mine(counts[own], me.rank());
    std::vector<int> gathered(all);
    for (int i = 0; i < 3; ++i) me.all_gather_v(mine, gathered, counts);
    me.nonblocking().all_gather_v(mine, gathered, counts).wait();
    std::vector<int> part(counts[own]);
    me.scatter_v(gathered, counts, part, 2);
  });
  const Statistics statistics = team.statistics();
  check_sums(statistics);
  const CallStatistics gathers = row_of(statistics, "all_gather");
  CHECK(gathers.varying);
  CHECK(gathers.calls == 4);
  CHECK(gathers.bytes == 4 * all * sizeof(int));
  CHECK(gathers.up_to_bytes == 0);
  CHECK(calls_by_node(gathers) == Calls(4, 4));
  CHECK(row_of(statistics, "scatter").calls == 1);
  CHECK(row_of(statistics, "scatter").bytes == all * sizeof(int));
}

TEST_CASE("messages are counted at both ends, of a receive the bytes that came") {
  vnode::Team team(3, vnode::shapes::full{}, counting());
  team.run([](vnode::Node& me) {
    std::vector<double> x(10), room(1000);
    const int next = (me.rank() + 1) % 3, previous = (me.rank() + 2) % 3;
    if (me.rank() == 0)
      for (int i = 0; i < 5; ++i) me.send(x, 1);
    if (me.rank() == 1)
      for (int i = 0; i < 5; ++i) CHECK(me.recv(room, 0) == 10);
    me.sendrecv(x, next, room, previous);
    vnode::Request in = me.irecv(room, previous, 3), out = me.isend(x, next, 3);
    in.wait();
    out.wait();
    // Beside calls in flight.
    vnode::Request later = me.irecv(room, previous, 4);
    std::vector<double> other(1000);
    me.sendrecv(x, next, other, previous, 5);
    me.send(x, next, 4);
    later.wait();
  });
  const Statistics statistics = team.statistics();
  check_sums(statistics);
  const CallStatistics sends = row_of(statistics, "send"), receives = row_of(statistics, "recv"),
                       both = row_of(statistics, "sendrecv");
  CHECK(sends.calls == 5 + 3 + 3);
  CHECK(sends.bytes == sends.calls * 80);
  CHECK(calls_by_node(sends) == Calls{7, 2, 2});
  CHECK(receives.calls == 5 + 3 + 3);
  CHECK(receives.bytes == receives.calls * 80);
  CHECK(receives.up_to_bytes == 128);
  CHECK(calls_by_node(receives) == Calls{2, 7, 2});
  CHECK(both.calls == 6);
  CHECK(both.last == -1);
}

TEST_CASE("a group's calls are its own, a split counts once, and groups of the same nodes are one row") {
  vnode::Team team(4, vnode::shapes::full{}, counting());
  team.run([](vnode::Node& me) {
    for (int i = 0; i < 10; ++i) {
      vnode::Group half = me.split(me.rank() % 2);
      half.barrier();
      if (me.rank() % 2 == 0) half.barrier();
    }
    me.barrier();
  });
  const Statistics statistics = team.statistics();
  check_sums(statistics);
  CHECK(statistics.rows.size() == 4);
  CHECK(statistics.groups.size() == 3);
  CHECK(statistics.groups[0].nodes == std::vector<int>{0, 1, 2, 3});
  CHECK(row_of(statistics, "split").calls == 10);
  CHECK(row_of(statistics, "barrier", {}, {0, 2}).calls == 20);
  CHECK(row_of(statistics, "barrier", {}, {1, 3}).calls == 10);
  CHECK(row_of(statistics, "barrier", {}, {0, 1, 2, 3}).calls == 1);
}

TEST_CASE("in checked teams, of own schedules and by joined threads calls are counted as well") {
  vnode::TeamOptions checked = counting();
  checked.checked = true;
  vnode::Team comparing(2, vnode::shapes::full{}, checked);
  comparing.run([](vnode::Node& me) {
    std::vector<int> x(2);
    for (int i = 0; i < 3; ++i) me.all_reduce(x, std::plus<>{});
    me.nonblocking().all_reduce(x, std::plus<>{}).wait();
    (void)me.split(0);
  });
  check_sums(comparing.statistics());
  CHECK(row_of(comparing.statistics(), "all_reduce").calls == 4);
  CHECK(row_of(comparing.statistics(), "split").calls == 1);

  vnode::Team joined(3, vnode::shapes::full{}, counting(callers()));
  const vnode::OwnSchedule own(vnode::algorithm("broadcast_linear").build({.nodes = 3, .root = 1}), "mine");
  for (int round = 0; round < 2; ++round)
    on_threads(3, [&](int i) {
      vnode::Membership me = joined.join(i);
      std::vector<int> x(5);
      for (int call = 0; call < 4; ++call) me->broadcast(x, 1, {.schedule = &own});
    });
  const Statistics statistics = joined.statistics();
  check_sums(statistics);
  CHECK(statistics.joined);
  CHECK(row_of(statistics, "broadcast").calls == 8);
  CHECK(row_of(statistics, "broadcast").algorithm == "mine");
}

TEST_CASE("who comes late is waited for, and the wait is in the others' times") {
  using namespace std::chrono_literals;
  vnode::TeamOptions options = counting();
  options.wait = vnode::Wait::park;
  for (const char* const kind : {"blocking", "waited", "message"}) {
    CAPTURE(kind);
    const std::string how = kind;
    vnode::Team team(4, vnode::shapes::full{}, options);
    team.run([&](vnode::Node& me) {
      std::vector<int> x(10);
      me.barrier();
      for (int i = 0; i < 3; ++i) {
        if (me.rank() == 2) std::this_thread::sleep_for(20ms);
        if (how == "blocking") me.all_reduce(x, std::plus<>{}, {.algorithm = "all_reduce_one_shot_direct"});
        if (how == "waited")
          me.nonblocking().all_reduce(x, std::plus<>{}, {.algorithm = "all_reduce_one_shot_direct"}).wait();
        if (how == "message" && me.rank() == 2) me.send(x, 1);
        if (how == "message" && me.rank() == 1) me.recv(x, 2);
      }
    });
    const Statistics statistics = team.statistics();
    check_sums(statistics);
    const CallStatistics row = row_of(statistics, how == "message" ? "recv" : "all_reduce");
    CHECK(row.awaited == 2);
    // Each of the others has waited for some 60 ms; the sleeper is no later than they see it.
    CHECK(row.waiting > (how == "message" ? 0.03 : 0.09));
    CHECK(row.awaited_seconds > 0.03);
    if (how != "message") CHECK(row.last == 2);
  }
}

TEST_CASE("what a node computes between start and wait is in a call's time, and no waiting") {
  using namespace std::chrono_literals;
  vnode::Team team(2, vnode::shapes::full{}, counting());
  std::latch sent(1);
  team.run([&](vnode::Node& me) {
    std::vector<int> x(10);
    if (me.rank() == 0) {
      me.send(x, 1);
      sent.count_down();
    } else {
      vnode::Request in = me.irecv(x, 0);
      sent.wait();
      std::this_thread::sleep_for(30ms);
      in.wait();
    }
  });
  const CallStatistics row = row_of(team.statistics(), "recv");
  const bool at_once = row.seconds < 0.03;  // it had arrived when the receive began
  CHECK((at_once || row.waiting < row.seconds / 2));
}

TEST_CASE("calls that an exception has ended are not counted, and the team counts on") {
  vnode::Team team(2, vnode::shapes::full{}, counting());
  const std::string text = sentence<std::runtime_error>(team, [](vnode::Node& me) {
    me.barrier();
    if (me.rank() == 1) throw std::runtime_error("enough");
    me.barrier();
  });
  CHECK(text == "enough");
  check_sums(team.statistics());
  CHECK(row_of(team.statistics(), "barrier").calls == 1);
  CHECK(row_of(team.statistics(), "reduce").calls == 1);
}

TEST_CASE("statistics are had from any thread while nodes run, whole and never less than before") {
  vnode::Team team(4, vnode::shapes::full{}, counting());
  std::atomic<bool> over = false;
  constexpr std::uint64_t calls = 2000;
  std::thread reader([&] {
    std::uint64_t before = 0;
    while (!over) {
      const Statistics now = team.statistics();
      check_sums(now);
      std::uint64_t sum = 0;
      for (const CallStatistics& row : now.rows)
        for (const vnode::NodeStatistics& node : row.nodes) {
          sum += node.calls;
          if (row.operation == "all_reduce") CHECK(node.bytes == node.calls * 40);
        }
      CHECK(sum >= before);
      before = sum;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  });
  team.run([](vnode::Node& me) {
    std::vector<int> x(10);
    for (std::uint64_t i = 0; i < calls; ++i) me.all_reduce(x, std::plus<>{});
    for (int i = 0; i < 20; ++i) (void)me.split(me.rank() % 2, i);
  });
  over = true;
  reader.join();
  CHECK(row_of(team.statistics(), "all_reduce").calls == calls);
}

TEST_CASE("many nodes are counted too") {
  constexpr int p = 64;
  vnode::Team team(p, vnode::shapes::full{}, counting());
  team.run([](vnode::Node& me) {
    std::vector<int> all(64), one{me.rank()};
    for (int i = 0; i < 3; ++i) me.all_gather(one, all, {.algorithm = "all_gather_ring"});
  });
  const Statistics statistics = team.statistics();
  check_sums(statistics);
  CHECK(row_of(statistics, "all_gather").calls == 3);
  CHECK(row_of(statistics, "all_gather").nodes.size() == p);
}
