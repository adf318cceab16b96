// Tests correct programs that send more than a channel holds before anybody receives it.
#include <array>
#include <atomic>
#include <doctest/doctest.h>
#include <functional>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

#include <vnode/lab/notation.hpp>
#include <vnode/own_schedule.hpp>
#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

namespace {

constexpr int burst = 200;  // lines, of which a channel has 64 at most

/// Calls body(options) for both engines and all ways of waiting.
template <class Body>
void in_all_ways(const Body& body) {
  for (const vnode::ChannelEngine engine : {vnode::ChannelEngine::line, vnode::ChannelEngine::boost})
    for (const vnode::Wait wait : {vnode::Wait::automatic, vnode::Wait::yield, vnode::Wait::park}) {
      vnode::TeamOptions options = patient();
      options.channel = engine;
      options.wait = wait;
      CAPTURE(static_cast<int>(engine));
      CAPTURE(static_cast<int>(wait));
      body(options);
    }
}

void sum_of_all(vnode::Node& me) {
  const std::array one{1};
  std::array sum{0};
  me.all_reduce(one, sum, std::plus<>{});
  REQUIRE(sum[0] == me.size());
}

/// Number i of the messages from a node, `length` ints.
std::vector<int> content(int from, int i, std::size_t length) {
  std::vector<int> list(length);
  std::iota(list.begin(), list.end(), from * 100000 + i);
  return list;
}

}  // namespace

TEST_CASE("messages to every peer are received after a collective, in any order") {
  in_all_ways([](const vnode::TeamOptions& options) {
    for (const int nodes : {2, 3, 8}) {
      vnode::Team team(nodes, vnode::shapes::full{}, options);
      // In a line, in some lines, and only announced.
      for (const std::size_t length : {std::size_t{1}, std::size_t{100}, std::size_t{2000}})
        team.run([&](vnode::Node& me) {
          std::vector<std::vector<int>> data;
          for (int i = 0; i < burst; ++i) data.push_back(content(me.rank(), i, length));
          std::vector<vnode::Request> requests;
          for (int i = 0; i < burst; ++i)
            for (int peer = 0; peer < nodes; ++peer)
              if (peer != me.rank()) requests.push_back(me.isend(data[static_cast<std::size_t>(i)], peer, i));
          sum_of_all(me);
          std::vector<int> received(length);
          for (int peer = 0; peer < nodes; ++peer)
            for (int i = 0; i < burst && peer != me.rank(); ++i) {
              const int number = (me.rank() + peer) % 2 == 0 ? i : burst - 1 - i;
              me.recv(received, peer, number);
              REQUIRE(received == content(peer, number, length));
            }
          vnode::wait_all(requests);
        });
    }
  });
}

TEST_CASE("calls of two groups are started in either order, with a barrier of all between them") {
  in_all_ways([](const vnode::TeamOptions& options) {
    for (const int nodes : {2, 3, 8}) {
      vnode::Team team(nodes, vnode::shapes::full{}, options);
      for (const std::size_t length : {std::size_t{1}, std::size_t{2000}})
        team.run([&](vnode::Node& me) {
          std::array groups{me.split(0), me.split(0, -me.rank())};
          std::vector<std::vector<int>> data(2 * burst, std::vector<int>(length));
          std::vector<vnode::Request> requests;
          for (const int turn : {0, 1}) {
            const int which = (me.rank() + turn) % 2;
            vnode::Group& group = groups[static_cast<std::size_t>(which)];
            for (int i = 0; i < burst; ++i) {
              std::vector<int>& x = data[static_cast<std::size_t>(which * burst + i)];
              const int root = which == 0 ? 0 : nodes - 2;  // node 0 of the team, and node 1
              if (group.rank() == root) x = content(which, i, length);
              requests.push_back(group.nonblocking().broadcast(x, root));
            }
            me.barrier();
          }
          vnode::wait_all(requests);
          for (int i = 0; i < 2 * burst; ++i)
            REQUIRE(data[static_cast<std::size_t>(i)] == content(i / burst, i % burst, length));
        });
    }
  });
}

TEST_CASE("blocks of other sizes for every node stand behind messages that nobody has asked for") {
  in_all_ways([](const vnode::TeamOptions& options) {
    vnode::Team team(3, vnode::shapes::full{}, options);
    for (const std::size_t length : {std::size_t{1}, std::size_t{2000}})
      team.run([&](vnode::Node& me) {
        const std::vector<int> data = content(me.rank(), 0, length);
        std::vector<vnode::Request> requests;
        for (int i = 0; i < burst; ++i)
          for (int peer = 0; peer < 3; ++peer)
            if (peer != me.rank()) requests.push_back(me.isend(data, peer));
        const std::vector<std::size_t> counts{length, 2 * length, 3 * length};
        std::vector<int> all(6 * length);
        me.all_gather_v(content(me.rank(), 7, counts[static_cast<std::size_t>(me.rank())]), all, {counts});
        std::size_t at = 0;
        for (int rank = 0; rank < 3; ++rank) {
          const std::vector<int> expected = content(rank, 7, counts[static_cast<std::size_t>(rank)]);
          REQUIRE(
              std::equal(expected.begin(), expected.end(), all.begin() + static_cast<std::ptrdiff_t>(at)));
          at += expected.size();
        }
        std::vector<int> received(length);
        for (int peer = 0; peer < 3; ++peer)
          for (int i = 0; i < burst && peer != me.rank(); ++i) me.recv(received, peer);
        vnode::wait_all(requests);
      });
  });
}

TEST_CASE("a node that waits for one peer makes room for what another sends") {
  in_all_ways([](const vnode::TeamOptions& options) {
    vnode::Team team(3, vnode::shapes::full{}, options);
    for (const bool tests : {false, true})
      team.run([&](vnode::Node& me) {
        const std::array one{1};
        std::array got{0};
        if (me.rank() == 2) {
          for (int i = 0; i < burst; ++i) me.send(one, 0, i);
          me.send(one, 1);
        } else if (me.rank() == 1) {
          me.recv(got, 2);
          me.send(one, 0);
        } else {
          vnode::Request last = me.irecv(got, 1);
          while (tests && !last.test()) continue;
          last.wait();
          for (int i = burst - 1; i >= 0; --i) me.recv(got, 2, i);
        }
      });
  });
}

TEST_CASE("meetings of calls that overlap are those of one call after the other") {
  // Node 2 is told by node 1 before the first call's meeting, and nobody before the second's.
  const vnode::OwnSchedule late(vnode::schedule_from_text("nodes 3 blocks 0\n1: 1>2\n2: 1>0 2>0\n3: 0>1 0>2"),
                                "late");
  vnode::Team team(3, vnode::shapes::full{}, patient());
  for (int i = 0; i < 10; ++i) {
    std::atomic<int> started{0};
    team.run([&](vnode::Node& me) {
      while (me.rank() == 1 && started != 2) std::this_thread::yield();
      vnode::Request first = me.nonblocking().barrier({.schedule = &late});
      vnode::Request second = me.nonblocking().barrier({"barrier_central"});
      ++started;
      second.wait();
      first.wait();
    });
  }
}

TEST_CASE("thousands of messages are in flight in both directions") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  for (const std::size_t length : {std::size_t{1}, std::size_t{2000}})
    team.run([&](vnode::Node& me) {
      constexpr int thousands = 5000;
      const std::vector<int> data = content(me.rank(), 0, length);
      std::vector<int> room(length);
      std::vector<int> first(thousands);
      std::vector<vnode::Request> requests;
      // Half of the receives come before the messages, half after them; all in reverse.
      const auto receive = [&](int from, int to) {
        for (int i = to - 1; i >= from; --i)
          requests.push_back(length == 1 ? me.irecv(std::span(first).subspan(static_cast<std::size_t>(i), 1),
                                                    1 - me.rank(), i)
                                         : me.irecv(room, 1 - me.rank(), i));
      };
      receive(0, thousands / 2);
      std::vector<int> numbers(thousands);
      std::iota(numbers.begin(), numbers.end(), 0);
      for (int i = 0; i < thousands; ++i)
        requests.push_back(length == 1 ? me.isend(std::span(numbers).subspan(static_cast<std::size_t>(i), 1),
                                                  1 - me.rank(), i)
                                       : me.isend(data, 1 - me.rank(), i));
      sum_of_all(me);
      receive(thousands / 2, thousands);
      vnode::wait_all(requests);
      if (length == 1) REQUIRE(first == numbers);
      if (length > 1) REQUIRE(room == content(1 - me.rank(), 0, length));
    });
}
