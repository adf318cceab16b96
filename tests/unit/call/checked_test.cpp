// Tests teams that compare signatures before every call.
#include <atomic>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

namespace {

vnode::TeamOptions checked(vnode::Wait wait) {
  vnode::TeamOptions options = patient();
  options.checked = true;
  options.wait = wait;
  return options;
}

using Ints = std::vector<int>;
using Sizes = std::vector<std::size_t>;

}

TEST_CASE("checked: collectives of all kinds and forms, in groups and in flight") {
  for (const vnode::Wait wait : {vnode::Wait::automatic, vnode::Wait::park}) {
    vnode::Team team(6, vnode::shapes::mesh{2, 3}, checked(wait));
    team.run([](vnode::Node& me) {
      vnode::Group row = me.split(vnode::shapes::along{1}), odd = me.split(me.rank() % 2);
      const auto own = static_cast<std::size_t>(me.rank());
      const Sizes counts{0, 1, 2, 3, 4, 5};
      for (int round = 0; round < 10; ++round) {
        Ints a(30, me.rank()), b(30, me.rank()), c(300, me.rank()), d(6, me.rank());
        vnode::Request in_row = row.nonblocking().all_reduce(a, std::plus<>{});
        vnode::Request in_odd = odd.nonblocking().scan(b, std::plus<>{});
        vnode::Request first = me.nonblocking().broadcast(c, round % 6);
        vnode::Request second = me.nonblocking().all_to_all(d);
        vnode::Persistent third = me.persistent().barrier();
        third.start();
        Ints gathered(15), part(counts[own], me.rank());
        me.all_gather_v(part, gathered, {counts});
        CHECK(gathered == Ints{1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5});
        second.wait();
        CHECK(d == Ints{0, 1, 2, 3, 4, 5});
        first.wait();
        CHECK(c == Ints(300, round % 6));
        in_odd.wait();
        int prefix = 0;
        for (int rank = 0; rank <= odd.rank(); ++rank) prefix += odd.team_rank(rank);
        CHECK(b == Ints(30, prefix));
        in_row.wait();
        CHECK(a == Ints(30, me.rank() < 3 ? 3 : 12));
        third.wait();
      }
    });
  }
}

TEST_CASE("checked: a call that does not match is named by all before anything is touched") {
  struct Wrong {
    const char* names;
    void (*call)(vnode::Group&, Ints&, bool odd_one);
  };
  const Wrong wrongs[] = {
      {"root 1", [](vnode::Group& me, Ints& x, bool odd) { me.broadcast(x, odd ? 1 : 0); }},
      {"of 7 x int",
       [](vnode::Group& me, Ints& x, bool odd) { me.broadcast(std::span(x).first(odd ? 7 : 8)); }},
      {"barrier", [](vnode::Group& me, Ints& x, bool odd) { odd ? me.barrier() : me.broadcast(x); }},
      {"maximum",
       [](vnode::Group& me, Ints& x, bool odd) {
         if (odd)
           me.all_reduce(x, vnode::maximum{});
         else
           me.all_reduce(x, std::plus<>{});
       }},
      {"broadcast_linear",
       [](vnode::Group& me, Ints& x, bool odd) {
         me.broadcast(x, 0, {odd ? "broadcast_linear" : "broadcast_binomial"});
       }},
      {"circular_shift", [](vnode::Group& me, Ints& x, bool odd) { me.circular_shift(x, odd ? 1 : 2); }},
  };
  vnode::Team team(4, vnode::shapes::full{}, checked(vnode::Wait::automatic));
  for (const Wrong& wrong : wrongs)
    for (const bool in_group : {false, true})
      for (const int odd : {0, 3}) {
        std::atomic<int> beyond{0};
        std::vector<Ints> data(4);
        const std::string text = sentence<vnode::Mismatch>(team, [&](vnode::Node& me) {
          Ints& x = data[static_cast<std::size_t>(me.rank())];
          x.assign(8, me.rank());
          vnode::Group group = in_group ? me.split(0) : me;
          wrong.call(group, x, me.rank() == odd);
          ++beyond;
        });
        CAPTURE(text);
        CHECK(text.find("the nodes' calls do not match: call ") == 0);
        CHECK(text.find(wrong.names) != std::string::npos);
        CHECK(text.find("of node " + std::to_string(odd)) != std::string::npos);
        CHECK(beyond == 0);
        for (int rank = 0; rank < 4; ++rank) CHECK(data[static_cast<std::size_t>(rank)] == Ints(8, rank));
      }
}

TEST_CASE("checked: nodes that write to the same memory are named, and a root's memory is its own affair") {
  vnode::Team team(3, vnode::shapes::full{}, checked(vnode::Wait::automatic));
  Ints same(8, 1);
  std::vector<Ints> own(3, Ints(8, 1));
  const auto refused = [&](const auto& call) {
    return sentence<vnode::UsageError>(team, [&](vnode::Node& me) { call(me); });
  };
  const std::string all = refused([&](vnode::Node& me) { me.all_reduce(same, std::plus<>{}); });
  CHECK(all.find(" write to the same memory in call 1 (all_reduce of 8 x int ") != std::string::npos);
  CHECK(all.find(": each needs memory of its own") != std::string::npos);
  const std::string two = refused([&](vnode::Node& me) { me.broadcast(me.rank() == 0 ? own[0] : own[1]); });
  CAPTURE(two);
  CHECK(two.starts_with("nodes 1 and 2 write to the same memory in call "));
  CHECK(two.find(" (broadcast of 8 x int, root 0, ") != std::string::npos);
  team.run([&](vnode::Node& me) {
    me.all_reduce(same, own[static_cast<std::size_t>(me.rank())], std::plus<>{});
    CHECK(own[static_cast<std::size_t>(me.rank())] == Ints(8, 3));
    me.barrier();
  });
}

TEST_CASE("checked: a mismatch in flight is named by whoever waits next") {
  vnode::Team team(3, vnode::shapes::full{}, checked(vnode::Wait::yield));
  const std::string text = sentence<vnode::Mismatch>(team, [](vnode::Node& me) {
    Ints x(5), y(5);
    vnode::Request one = me.nonblocking().broadcast(x, me.rank() == 2 ? 1 : 0);
    me.all_reduce(y, std::plus<>{});
    one.wait();
  });
  CAPTURE(text);
  CHECK(text.find("root 0") != std::string::npos);
  CHECK(text.find("root 1") != std::string::npos);
}
