// Tests what receives, probes and requests do about messages whose source, tag or length nobody knows
// beforehand.
#include <doctest/doctest.h>
#include <numeric>
#include <optional>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

TEST_CASE("a receive from any source with any tag says what it got") {
  vnode::Team team(4, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    if (me.rank() != 0) return me.send(std::vector<int>(3, me.rank()), 0, 10 * me.rank());
    std::vector<bool> seen(4);
    for (int i = 1; i < me.size(); ++i) {
      std::vector<int> data(5);
      vnode::MessageInfo info;
      CHECK(me.recv(data, vnode::any_source, vnode::any_tag, info) == 3);
      CHECK(info.tag == 10 * info.source);
      CHECK(info.count<int>() == 3);
      CHECK(data[2] == info.source);
      seen[static_cast<std::size_t>(info.source)] = true;
    }
    CHECK(seen == std::vector<bool>{false, true, true, true});
  });
}

TEST_CASE("a receive of what a layout picks says what it got") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    if (me.rank() == 0) return me.send(std::vector<int>{1, 2}, 1, 9);
    std::vector<int> y(6);
    vnode::MessageInfo info;
    const auto every_other = vnode::laid(y, vnode::layouts::vector(3, 1, 2));
    CHECK(me.recv(every_other, vnode::any_source, vnode::any_tag, info) == 2);
    CHECK(info == vnode::MessageInfo{0, 9, 2 * sizeof(int)});
    CHECK(y == std::vector<int>{1, 0, 2, 0, 0, 0});
    CHECK(me.recv(every_other, vnode::no_rank, 0, info) == 0);
    CHECK(info == vnode::MessageInfo{});
  });
}

TEST_CASE("who does not know how much will come asks first") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  for (const std::size_t count : {0u, 1u, 100u, 100000u})
    team.run([&](vnode::Node& me) {
      std::vector<long> data(count);
      if (me.rank() == 0) {
        std::iota(data.begin(), data.end(), 7);
        me.send(data, 1, 5);
        return;
      }
      const vnode::MessageInfo info = me.probe(vnode::any_source, vnode::any_tag);
      CHECK(info == vnode::MessageInfo{0, 5, count * sizeof(long)});
      CHECK(me.iprobe(0, 5) == info);
      CHECK(!me.iprobe(0, 6));
      CHECK(!me.iprobe(1, 5));
      data.resize(info.count<long>());
      CHECK(me.recv(data, info.source, info.tag) == count);
      for (std::size_t i = 0; i < count; ++i) REQUIRE(data[i] == static_cast<long>(i) + 7);
      CHECK(!me.iprobe(vnode::any_source, vnode::any_tag));
    });
}

TEST_CASE("a matched message belongs to who matched it") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  for (const std::size_t count : {1u, 100u, 100000u})
    team.run([&](vnode::Node& me) {
      if (me.rank() == 0) {
        std::vector<std::vector<int>> data;
        for (int i = 0; i < 3; ++i) data.emplace_back(count, i);
        std::vector<vnode::Request> sent;
        for (const std::vector<int>& x : data) sent.push_back(me.isend(x, 1));
        vnode::wait_all(sent);
        return;
      }
      vnode::MatchedMessage first = me.mprobe(0), second = me.mprobe(vnode::any_source);
      std::vector<int> a(count), b(count), c(count);
      CHECK(me.recv(c, 0) == count);
      CHECK(second.info().bytes == count * sizeof(int));
      vnode::Request later = second.irecv(b);
      CHECK(!second);
      CHECK(first.recv(a) == count);
      later.wait();
      CHECK(later.info() == vnode::MessageInfo{0, 0, count * sizeof(int)});
      CHECK(a.back() == 0);
      CHECK(b.back() == 1);
      CHECK(c.back() == 2);
      CHECK(!me.improbe(vnode::any_source, vnode::any_tag));
    });
}

TEST_CASE("a synchronous send returns when its receiver has begun to receive") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    if (me.rank() == 0) {
      int x = 4;
      vnode::Request sent = me.issend(x, 1, 3);
      CHECK(!sent.test());
      me.send(1, 1, 1);  // the other waits for this one first
      sent.wait();
      me.ssend(std::vector<int>{}, 1);
      me.ssend(std::vector<int>(100000, 9), 1);
    } else {
      CHECK(me.recv<int>(0, 1) == 1);
      CHECK(me.recv<int>(0, 3) == 4);
      std::vector<int> data(100000);
      CHECK(me.recv(data, 0) == 0);
      CHECK(me.recv(data, vnode::any_source) == 100000);
      CHECK(data.back() == 9);
    }
  });
}

TEST_CASE("receives that match a message get it in the order in which they were started") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    constexpr int any_tag = vnode::any_tag;
    constexpr vnode::Rank any = vnode::any_source;
    if (me.rank() == 0) {
      me.barrier();
      for (int i = 0; i < 6; ++i) me.send(i, 1, i < 4 ? 5 : 6);
      return;
    }
    std::vector<int> x(5, -1);
    std::vector<vnode::Request> requests;
    requests.push_back(me.irecv(x[0], 0, 5));
    requests.push_back(me.irecv(x[1], any, 5));
    requests.push_back(me.irecv(x[2], 0, any_tag));
    requests.push_back(me.irecv(x[3], 0, 6));
    requests.push_back(me.irecv(x[4], any, any_tag));
    me.barrier();
    CHECK(me.recv<int>(0, 6) == 5);  // it came last
    vnode::wait_all(requests);
    CHECK(x == std::vector<int>{0, 1, 2, 4, 3});
    CHECK(requests[1].info() == vnode::MessageInfo{0, 5, 4});
    CHECK(requests[3].info() == vnode::MessageInfo{0, 6, 4});
  });
}

TEST_CASE("a receive is cancelled unless a message was matched with it") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    if (me.rank() == 0) {
      me.barrier();
      me.send(1, 1, 1);
      me.send(2, 1, 1);
      return me.barrier();
    }
    int a = 0, b = 0, c = 0;
    vnode::Request first = me.irecv(a, 0, 1), second = me.irecv(b, vnode::any_source, 1),
                   third = me.irecv(c, 0, 1);
    CHECK(first.cancel());
    CHECK(first.cancelled());
    me.barrier();
    me.barrier();
    second.wait();
    CHECK(!second.cancel());
    CHECK(!second.cancelled());
    third.wait();
    CHECK(a == 0);
    CHECK(b == 1);
    CHECK(c == 2);
    CHECK(first.test());
    CHECK(first.info() == vnode::MessageInfo{});
    // Of several in one lane, the last, the middle, the first.
    std::vector<int> d(3);
    std::vector<vnode::Request> many;
    for (int& x : d) many.push_back(me.irecv(x, 0, 7));
    for (const std::size_t i : {2u, 1u, 0u}) CHECK(many[i].cancel());
    for (int& x : d) many.push_back(me.irecv(x, vnode::any_source, vnode::any_tag));
    for (const std::size_t i : {4u, 3u, 5u}) CHECK(many[i].cancel());
  });
}

TEST_CASE("what is sent or called together cannot be cancelled, whether it is complete or not") {
  for (const bool counted : {false, true}) {
    vnode::TeamOptions options = patient();
    options.statistics = counted;
    vnode::Team team(2, vnode::shapes::full{}, options);
    team.run([](vnode::Node& me) {
      const auto check_stays = [](vnode::Request request) {
        for (const bool complete : {false, true}) {
          CAPTURE(complete);
          CHECK_THROWS_WITH_AS(
              (void)request.cancel(),
              "cancel() of a call other than irecv: a message that is sent cannot be taken back, "
              "nor a collective call",
              vnode::UsageError);
          CHECK(!request.cancelled());
          request.wait();
        }
      };
      for (const std::size_t count : {1u, 1u << 18}) {  // complete at once, and by rendezvous
        std::vector<int> x(count), y(count);
        if (me.rank() == 0) {
          check_stays(me.isend(x, 1));
          check_stays(me.issend(x, 1));
        } else {
          me.recv(y, 0);
          me.recv(y, 0);
        }
        check_stays(me.nonblocking().all_reduce(x, y, std::plus<>{}));
      }
      int x = 0;
      check_stays(me.nonblocking().barrier());
      check_stays(me.isend(x, vnode::no_rank));
      CHECK(!me.irecv(x, vnode::no_rank).cancel());
      vnode::Request first = me.isend(x, vnode::no_rank);
      const vnode::Request second = std::move(first);
      CHECK(!first.cancel());  // it is empty
      CHECK(!vnode::Request().cancel());
    });
  }
}

TEST_CASE("of many requests those are told that are complete, each once") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    std::vector<int> x(4);
    std::vector<vnode::Request> requests(1);  // the first is empty
    if (me.rank() > 0) {
      for (int i = 0; i < 2; ++i) me.send(i, 0, i);
      return;
    }
    for (int i = 0; i < 4; ++i)
      requests.push_back(me.irecv(x[static_cast<std::size_t>(i)], 1 + i / 2, i % 2));
    std::vector<int> told(5);
    const auto tell = [&](std::size_t i) { ++told[i]; };
    tell(*vnode::wait_any(requests));
    for (const std::size_t i : vnode::wait_some(requests)) tell(i);
    for (int looks = 0; looks < 100; ++looks) {
      if (const auto i = vnode::test_any(requests)) tell(*i);
      for (const std::size_t i : vnode::test_some(requests)) tell(i);
    }
    while (const auto i = vnode::wait_any(requests)) tell(*i);
    CHECK(told == std::vector<int>{0, 1, 1, 1, 1});
    CHECK(vnode::wait_some(requests).empty());
    CHECK(vnode::test_all(requests));
    CHECK(!vnode::test_any(requests));
  });
}

TEST_CASE("what is complete when it starts is told, too") {
  vnode::Team team(1, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    std::vector<vnode::Request> requests;
    double x = 1;
    requests.push_back(me.nonblocking().broadcast(x));
    requests.push_back(me.isend(x, vnode::no_rank));
    CHECK(vnode::wait_some(requests) == std::vector<std::size_t>{0, 1});
    CHECK(!vnode::wait_any(requests));
  });
}

TEST_CASE("no_rank takes everything and gives nothing") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    // A shift without a ring: the ends have a neighbour that is none.
    const vnode::Rank left = me.rank() > 0 ? me.rank() - 1 : vnode::no_rank;
    const vnode::Rank right = me.rank() + 1 < me.size() ? me.rank() + 1 : vnode::no_rank;
    int in = -1;
    CHECK(me.sendrecv(me.rank(), right, in, left) == (me.rank() > 0 ? 1 : 0));
    CHECK(in == me.rank() - 1);
    std::vector<double> data(2000, me.rank());
    const vnode::MessageInfo info = me.sendrecv_replace(data, left, right);
    CHECK(info.source == right);
    CHECK(data[1999] == (right == vnode::no_rank ? me.rank() : right));
    me.send(in, vnode::no_rank);
    me.ssend(in, vnode::no_rank);
    CHECK(me.recv(in, vnode::no_rank) == 0);
    CHECK(me.probe(vnode::no_rank) == vnode::MessageInfo{});
    vnode::Request request = me.irecv(in, vnode::no_rank);
    CHECK(request.test());
    vnode::MatchedMessage nothing = me.mprobe(vnode::no_rank);
    CHECK(nothing);
    CHECK(nothing.recv(data) == 0);
  });
}

TEST_CASE("a node sends to itself, if it does not wait for itself") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    const vnode::Rank self = me.rank();
    me.send(3, self);
    CHECK(me.probe(vnode::any_source).source == self);
    CHECK(me.recv<int>(self) == 3);
    for (int i = 0; i < 1000; ++i) me.send(i, self, 1);
    for (int i = 0; i < 1000; ++i) REQUIRE(me.recv<int>(vnode::any_source, 1) == i);
    std::vector<int> out(100000, self), in(100000, -1);
    for (const vnode::Rank source : {self, vnode::any_source}) {
      in.back() = -1;
      vnode::Request coming = me.irecv(in, source, source == self ? 4 : vnode::any_tag);
      if (source == self)
        me.send(out, self, 4);
      else
        me.ssend(out, self, 4);
      coming.wait();
      CHECK(in.back() == self);
    }
    CHECK_THROWS_AS(me.send(out, self, 4), vnode::UsageError);
    CHECK_THROWS_AS(me.ssend(1, self, 4), vnode::UsageError);
    CHECK_THROWS_AS(me.recv(in, self, 4), vnode::UsageError);
    CHECK_THROWS_AS(me.probe(self), vnode::UsageError);
  });
}
