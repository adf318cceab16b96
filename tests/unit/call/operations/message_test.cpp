// Messages in flight.
#include <doctest/doctest.h>
#include <list>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

namespace {

/// Short enough for a line, for some lines, and not for any: in turn.
std::size_t length(int i) { return std::size_t{1} << (i * 5 % 14); }

std::vector<int> content(int i) {
  std::vector<int> list(length(i));
  std::iota(list.begin(), list.end(), i * 1000);
  return list;
}

}

TEST_CASE("messages of one tag are matched in the order in which they were started") {
  for (const std::size_t inline_to : {std::size_t{0}, std::size_t{16}, std::size_t{2000}}) {
    vnode::TeamOptions options = patient();
    options.inline_to = inline_to;
    options.shared_from = 2000;
    vnode::Team team(2, vnode::shapes::full{}, options);
    team.run([](vnode::Node& me) {
      constexpr int many = 300;
      std::list<std::vector<int>> data;
      std::vector<vnode::Request> requests;
      for (int i = 0; i < many; ++i) {
        if (me.rank() == 0) {
          data.push_back(content(i));
          requests.push_back(me.isend(data.back(), 1, i % 3));
        } else {
          data.emplace_back(length(i) + 5, -1);
          requests.push_back(me.irecv(data.back(), 0, i % 3));
        }
      }
      if (me.rank() == 1) std::swap(requests.front(), requests.back());
      vnode::wait_all(requests);
      if (me.rank() == 0) return;
      std::swap(requests.front(), requests.back());
      int i = 0;
      for (std::vector<int>& received : data) {
        REQUIRE(requests[static_cast<std::size_t>(i)].count() == length(i));
        received.resize(length(i));
        REQUIRE(received == content(i++));
      }
    });
  }
}

TEST_CASE("blocking receives queue up behind those that are in flight") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  for (const std::size_t count : {3u, 3000u})
    team.run([count](vnode::Node& me) {
      const auto value = [&](int i) { return std::vector<int>(count, i); };
      if (me.rank() == 0) {
        for (int i = 0; i < 3; ++i) me.send(value(i), 1);
        const std::vector<int> first = value(3), second = value(4);
        vnode::Request one = me.isend(first, 1), two = me.isend(second, 1);
        me.send(value(5), 1);
        one.wait(), two.wait();
      } else {
        std::vector<int> x(count), y(count);
        vnode::Request one = me.irecv(x, 0), two = me.irecv(y, 0);
        std::vector<int> z(count);
        for (int i = 2; i < 6; ++i) {
          CHECK(me.recv(z, 0) == count);
          CHECK(z == value(i));
        }
        two.wait(), one.wait();
        CHECK(x == value(0));
        CHECK(y == value(1));
      }
    });
}

TEST_CASE("a node sends messages to itself") {
  for (const int nodes : {1, 3}) {
    vnode::Team team(nodes, vnode::shapes::full{}, patient());
    team.run([](vnode::Node& me) {
      std::vector<std::vector<int>> out, in;
      std::vector<vnode::Request> sent, received;
      out.reserve(200), in.reserve(200);
      for (int i = 0; i < 200; ++i) {
        out.push_back(content(i));
        in.emplace_back(length(i));
        // Now the one is first, now the other.
        if (i % 2 == 0) sent.push_back(me.isend(out.back(), me.rank(), 4));
        received.push_back(me.irecv(in.back(), me.rank(), 4));
        if (i % 2 == 1) sent.push_back(me.isend(out.back(), me.rank(), 4));
      }
      vnode::wait_all(sent);
      vnode::wait_all(received);
      CHECK(in == out);
    });
  }
}

TEST_CASE("everybody has messages to everybody in flight while collectives pass") {
  vnode::TeamOptions options = patient();
  options.wait = vnode::Wait::park;
  vnode::Team team(7, vnode::shapes::full{}, options);
  team.run([](vnode::Node& me) {
    std::vector<std::vector<int>> out, in;
    std::vector<vnode::Request> requests;
    out.reserve(100), in.reserve(100);
    for (int round = 0; round < 4; ++round)
      for (int peer = 0; peer < me.size(); ++peer) {
        in.emplace_back(length(round + 2));
        requests.push_back(me.irecv(in.back(), peer, round));
      }
    int sum[1] = {1};
    me.all_reduce(sum, std::plus<>{});
    CHECK(sum[0] == 7);
    for (int round = 3; round >= 0; --round)
      for (int peer = 0; peer < me.size(); ++peer) {
        out.emplace_back(length(round + 2), round * 100 + me.rank());
        requests.push_back(me.isend(out.back(), peer, round));
      }
    me.barrier();
    vnode::wait_all(requests);
    for (std::size_t i = 0; i < in.size(); ++i) {
      const int round = static_cast<int>(i) / 7, peer = static_cast<int>(i) % 7;
      CHECK(in[i] == std::vector<int>(length(round + 2), round * 100 + peer));
    }
  });
}

TEST_CASE("a receive may have room to spare, a message no elements") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    std::vector<long> x(10, 5);
    if (me.rank() == 0) {
      me.isend(std::span(x).first(0), 1).wait();
      me.isend(std::span(x).first(4), 1).wait();
    } else {
      std::vector<long> y(10, 1);
      vnode::Request empty = me.irecv(y, 0), four = me.irecv(y, 0);
      four.wait();
      CHECK(four.count() == 4);
      empty.wait();
      CHECK(empty.count() == 0);
      CHECK(y == std::vector<long>{5, 5, 5, 5, 1, 1, 1, 1, 1, 1});
    }
  });
}

TEST_CASE("an exchange does not blame a peer that has done its part and left") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  const std::string text = sentence<vnode::Mismatch>(team, [](vnode::Node& me) {
    const auto rest = [](int milliseconds) {
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    };
    std::vector<int> large(100000, me.rank()), small(4, me.rank());
    if (me.rank() == 0) me.sendrecv(large, 1, small, 2);
    if (me.rank() == 1) {
      rest(200);
      me.recv(large, 0);
    }
    if (me.rank() == 2) {
      rest(50);
      me.send(small, 0);
    }
  });
  CHECK(text == "");
}

TEST_CASE("receivers and senders that do not exist are refused") {
  int x[1] = {};
  CHECK(refusal(2, [&](vnode::Node& me) { (void)me.isend(x, 2); }) ==
        "receiver 2 is not a node of a team of 2: ranks are 0 to 1");
  CHECK(refusal(2, [&](vnode::Node& me) { (void)me.irecv(x, -1); }) ==
        "sender -1 is not a node of a team of 2: ranks are 0 to 1, or any_source");
  for (const bool nonblocking : {false, true})
    CHECK(refusal(2, [&](vnode::Node& me) {
            if (nonblocking)
              (void)me.isend(x, vnode::any_source);
            else
              me.send(x, vnode::any_source);
          }) == "any_source cannot be sent to: only receives and probes take it; ranks are 0 to 1");
  CHECK(refusal(2, [&](vnode::Node& me) { (void)me.irecv(x, 0, -1); }) ==
        "tag -1 is negative: tags are 0 to 2147483647");
  CHECK(refusal(2, [&](vnode::Node& me) { me.sendrecv(x, 1, x, 2); }) ==
        "sender 2 is not a node of a team of 2: ranks are 0 to 1, or any_source");
}

TEST_CASE("a blocking message that fails among calls in flight ends the run") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  const auto fails = [&](const auto& blocking) {
    return sentence<vnode::Mismatch>(team, [&](vnode::Node& me) {
      int waiting[1] = {}, word[1] = {};
      const std::vector<int> five(5);
      if (me.rank() == 0) {
        const vnode::Request first = me.irecv(waiting, 1, 1), second = me.irecv(word, 1, 3);
        blocking(me);
      } else {
        me.send(five, 0, 2);
        me.recv(waiting, 0, 4);
      }
    });
  };
  const std::string wanted =
      "a message of 5 elements from node 1 with tag 2 does not fit the 1 element of node 0";
  int small[1] = {}, out[1] = {};
  CHECK(fails([&](vnode::Node& me) { me.recv(small, 1, 2); }) == wanted);
  CHECK(fails([&](vnode::Node& me) { me.sendrecv(out, 1, small, 1, 2); }) == wanted);
}

TEST_CASE("what is sent and what is received at once must not overlap") {
  const std::string wanted = "sendrecv: in and out overlap: what arrives would change what is sent";
  int x[4] = {};
  const auto exchanged = [&](std::size_t out, std::size_t in, std::size_t count) {
    return refusal(2, [=, &x](vnode::Node& me) {
      int own[4] = {};
      const std::span data(me.rank() == 0 ? x : own);
      me.sendrecv(data.subspan(out, count), 1 - me.rank(), data.subspan(in, count), 1 - me.rank());
    });
  };
  CHECK(exchanged(0, 0, 4) == wanted);
  CHECK(exchanged(1, 0, 3) == wanted);
  CHECK(exchanged(0, 2, 2) == "");
  CHECK(exchanged(1, 1, 0) == "");
  CHECK(refusal(1, [&](vnode::Node& me) { me.sendrecv(x, 0, x, 0); }) == wanted);
}
