// Tests programs that go through the end of the numbers of calls, which have 32 bits, and of a context's
// groups, which have 16.
#include <doctest/doctest.h>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <vnode/vnode.hpp>

#include "call/member.hpp"
#include "sentence.hpp"

using namespace vnode_test;

namespace {

struct Inside : vnode::Group {
  static const vnode::SharedGroup& of(const vnode::Group& group) {
    return (group.*(&Inside::member))().group();
  }
};

/// Returns a group that all nodes split off, `left` calls before the call number 0, as if groups that had its
/// number before, `groups` of them, had made all the calls before.
vnode::Group split_late(vnode::Node& me, std::uint32_t left, std::uint32_t groups = 0) {
  me.barrier();  // groups that nodes had before are gone
  if (me.rank() == 0)
    for (std::uint32_t group = 0; group <= groups; ++group) {
      vnode::ContextNumber number = Inside::of(me).facts.numbers.take();
      number.set_last_call(0u - left);
    }
  me.barrier();
  return me.split(0);
}

vnode::TeamOptions quick(bool checked = false) {
  vnode::TeamOptions options = patient();
  options.costs = vnode::typical_costs;  // no calls but those below
  options.checked = checked;
  return options;
}

/// A call of each kind that is carried out in its own way, some of them in flight while the next begin.
void call_all_kinds(vnode::Group& group, int round) {
  const auto p = static_cast<std::size_t>(group.size());
  const int sum = group.size() * (group.size() - 1) / 2 + group.size() * round;
  const int own = group.rank() + round;
  std::vector<int> one{own}, many(3000, own), all(p), shown(3000, group.rank() == 1 ? round : -1);
  group.barrier({"barrier_central"});
  group.barrier({"barrier_direct"});
  group.all_reduce(one, std::plus<>{});  // by boards
  REQUIRE(one[0] == sum);
  vnode::Request later = group.nonblocking().all_reduce(many, std::plus<>{}, {"all_reduce_ring"});
  group.all_gather(std::vector{own}, all, {"all_gather_ring"});  // by channels
  for (std::size_t rank = 0; rank < p; ++rank) REQUIRE(all[rank] == static_cast<int>(rank) + round);
  vnode::Request meeting = group.nonblocking().barrier({"barrier_central"}),
                 looking = group.nonblocking().barrier({"barrier_direct"});
  group.broadcast(shown, 1);  // its memory is read by all
  REQUIRE(shown == std::vector<int>(3000, round));
  group.all_gather_v(std::vector{own}, all, {std::vector<std::size_t>(p, 1)});
  REQUIRE(all.back() == group.size() - 1 + round);
  meeting.wait();
  looking.wait();
  later.wait();
  REQUIRE(many == std::vector<int>(3000, sum));
}

}

TEST_CASE("calls of all kinds go through the end of their numbers") {
  for (const bool checked : {false, true}) {
    vnode::Team team(4, vnode::shapes::full{}, quick(checked));
    team.run([&](vnode::Node& me) {
      for (std::uint32_t left = 0; left < 16; left += checked ? 5 : 1) {
        vnode::Group group = split_late(me, left);
        REQUIRE(Inside::of(group).first_call == 0u - left);
        for (int round = 0; round < 2; ++round) call_all_kinds(group, round);
      }
    });
  }
}

TEST_CASE("a group whose number has run out of calls counts on from 0") {
  vnode::Team team(3, vnode::shapes::full{}, quick());
  team.run([](vnode::Node& me) {
    vnode::Group group = split_late(me, 5);
    const std::uint16_t id = Inside::of(group).context.id();
    for (int call = 0; call < 9; ++call) group.barrier();
    group = vnode::Group();
    me.barrier();
    group = me.split(0);
    REQUIRE(Inside::of(group).context.id() == id);
    CHECK(Inside::of(group).first_call == 4);
    call_all_kinds(group, 7);
  });
}

TEST_CASE("calls that do not match are named, before, at and after the end of their numbers") {
  for (const bool checked : {false, true}) {
    vnode::Team team(3, vnode::shapes::full{}, quick(checked));
    for (const int before : {1, 2, 3}) {
      const std::string text = sentence<vnode::Mismatch>(team, [&](vnode::Node& me) {
        vnode::Group group = split_late(me, 2);
        std::vector<int> x(1);
        for (int call = 1; call < before; ++call) group.all_reduce(x, std::plus<>{});
        group.broadcast(x, me.rank() == 2 ? 1 : 0);
        for (int call = 0; call < 3; ++call) group.all_reduce(x, std::plus<>{});
      });
      CAPTURE(text);
      CHECK(text.find("call " + std::to_string(static_cast<std::uint32_t>(before) - 2) + " of node") !=
            std::string::npos);
    }
  }
}

TEST_CASE("a call that one node leaves out is named, before, at and after the end of their numbers") {
  vnode::Team team(3, vnode::shapes::full{}, quick());
  for (const int before : {1, 2, 3}) {
    const std::string text = sentence<vnode::Mismatch>(team, [&](vnode::Node& me) {
      vnode::Group group = split_late(me, 2);
      std::vector<int> x(1);
      for (int call = me.rank() == 1 ? 1 : 0; call < before; ++call) group.broadcast(x, 0);
    });
    CAPTURE(text);
    CHECK(text.starts_with("node 1 has left the run without call " +
                           std::to_string(static_cast<std::uint32_t>(before) - 2) +
                           " (broadcast of 1 x int, root 0"));
  }
}

TEST_CASE("a number that 65,536 groups have had is not taken again before all others") {
  constexpr int most = 2;
  vnode::ContextNumbers numbers(0, (vnode::message_context - 1) / most);
  std::set<std::uint32_t> taken;
  const auto take = [&] {
    const vnode::ContextNumber number = numbers.take();
    return taken.insert(std::uint32_t{number.id()} << 16 | number.generation()).second;
  };
  int distinct = 0;
  while (take()) ++distinct;
  CHECK(distinct == most * 65536);
  // Then they begin again, and so many are there at a time.
  const vnode::ContextNumber one = numbers.take(), other = numbers.take();
  CHECK(one.id() != other.id());
  CHECK_THROWS_AS(numbers.take(), vnode::SystemError);
}

TEST_CASE("messages are those of their group, when 65,536 groups have had its number") {
  vnode::Team team(2, vnode::shapes::full{}, quick());
  team.run([](vnode::Node& me) {
    for (const std::uint32_t groups : {65533u, 0u, 0u}) {
      vnode::Group group = split_late(me, 1, groups);
      const int other = 1 - me.rank();
      std::vector<int> here{me.rank()}, there(1), much(5000, other), theirs(5000);
      vnode::Request sent = group.isend(here, other, 3), sending = group.isend(much, other, 3);
      group.barrier();
      group.recv(there, other, 3);
      CHECK(there[0] == other);
      group.recv(theirs, other, 3);
      CHECK(theirs == std::vector<int>(5000, me.rank()));
      sent.wait();
      sending.wait();
    }
  });
}
