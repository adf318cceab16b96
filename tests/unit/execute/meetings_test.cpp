// Nodes that share cores meet instead of sending messages (compile/meetings.hpp): they read each other's
// memory between two meetings, or bring what they have to one, where it is combined or gathered.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <doctest/doctest.h>
#include <functional>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/vnode.hpp>

#include "given_machine.hpp"
#include "sentence.hpp"

using namespace vnode_test;

namespace {

using Ints = std::vector<int>;

constexpr const char* two_pus = "core:2 pu:1";

vnode::TeamOptions as(vnode::Nodes nodes) {
  vnode::TeamOptions options = patient();
  options.nodes = nodes;
  return options;
}

/// Returns what node `from` has for node `to` in a turn, `count` numbers.
void fill(Ints& numbers, std::size_t count, int from, int turn) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = from * 1000 + static_cast<int>(i / count) + turn * 1000000;
}
/// Tells whether all numbers for node `to` have come from everybody.
bool has_come(const Ints& numbers, std::size_t count, int to, int turn) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != static_cast<int>(i / count) * 1000 + to + turn * 1000000) return false;
  return true;
}

void exchange(vnode::Group& me, std::size_t count, int turns) {
  const auto p = static_cast<std::size_t>(me.size());
  Ints in(p * count), out(p * count), in_place(p * count), all(p * count), both(p * count), own(count);
  const vnode::CallOptions to_all{"all_to_all_direct"}, gather{"all_gather_direct"};
  for (int turn = 0; turn < turns; ++turn) {
    fill(in, count, me.rank(), turn);
    me.all_to_all(in, out, to_all);
    CHECK(has_come(out, count, me.rank(), turn));
    fill(in_place, count, me.rank(), turn);
    std::ranges::fill(own, me.rank() * 1000 + turn * 1000000);
    std::ranges::copy(
        own, both.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(me.rank()) * count));
    vnode::Request first = me.nonblocking().all_to_all(in_place, to_all);
    vnode::Request second = me.nonblocking().all_gather(own, all, gather);
    vnode::Request third = me.nonblocking().all_gather(both, gather);
    third.wait();
    first.wait();
    second.wait();
    CHECK(has_come(in_place, count, me.rank(), turn));
    CHECK(has_come(all, count, 0, turn));
    CHECK(has_come(both, count, 0, turn));
  }
}

/// The line a x + b. To combine is to apply one after the other, which does not commute.
struct Line {
  std::uint32_t a = 1, b = 0;
  friend bool operator==(const Line&, const Line&) = default;
};
struct After {
  Line operator()(const Line& f, const Line& g) const { return {f.a * g.a, f.b * g.a + g.b}; }
};

void combine(vnode::Group& me, std::size_t count, int turns) {
  const auto p = static_cast<std::size_t>(me.size());
  const auto brought = [](int rank, int turn) {
    return Line{static_cast<std::uint32_t>(2 * rank + 3), static_cast<std::uint32_t>(turn + rank)};
  };
  const vnode::CallOptions central{"all_reduce_central"};
  std::vector<Line> own(count), all(count), vectors(p * count), part(count), in_place(count);
  Ints rank(count), gathered(p * count);
  for (int turn = 0; turn < turns; ++turn) {
    Line expected = brought(0, turn);
    for (int other = 1; other < me.size(); ++other) expected = After()(expected, brought(other, turn));
    std::ranges::fill(own, brought(me.rank(), turn));
    std::ranges::fill(in_place, brought(me.rank(), turn));
    std::ranges::fill(vectors, brought(me.rank(), turn));
    std::ranges::fill(rank, me.rank() + turn);
    me.all_reduce(own, all, After(), central);
    CHECK(all == std::vector<Line>(count, expected));
    vnode::Request first = me.nonblocking().all_reduce(in_place, After(), central);
    vnode::Request second =
        me.nonblocking().reduce_scatter(vectors, part, After(), {"reduce_scatter_direct"});
    me.all_gather(rank, gathered, {"all_gather_direct"});
    second.wait();
    first.wait();
    CHECK(in_place == all);
    CHECK(part == all);
    bool right = true;
    for (std::size_t i = 0; i < gathered.size(); ++i)
      right = right && gathered[i] == static_cast<int>(i / count) + turn;
    CHECK(right);
  }
}

/// Runs body(me, count) for each count on teams of fibers and of threads that share two PUs.
template <class Body>
void with_teams(std::initializer_list<std::size_t> counts, const Body& body) {
  const GivenMachine machine(two_pus);
  for (const vnode::Nodes nodes : {vnode::Nodes::fibers, vnode::Nodes::threads})
    for (const int p : {3, 12, nodes == vnode::Nodes::fibers ? 40 : 16})
      for (const std::size_t count : counts) {
        CAPTURE(static_cast<int>(nodes));
        CAPTURE(p);
        CAPTURE(count);
        vnode::Team team(p, vnode::shapes::full{}, as(nodes));
        team.run([&](vnode::Node& me) { body(me, count); });
      }
}

}

TEST_CASE("complete exchanges of nodes that share cores, in place and not, in flight, in groups") {
  with_teams({1, 70, 9000}, [](vnode::Node& me, std::size_t count) {
    if (me.size() > 3 && count == 9000) return;
    exchange(me, count, 3);
    vnode::Group half = me.split(me.rank() % 2);
    exchange(half, count, 2);
    exchange(me, count, 1);
  });
}

TEST_CASE("values are combined and gathered at a meeting: by rank, in place, in flight, in groups") {
  with_teams({0, 1, 7, 500}, [](vnode::Node& me, std::size_t count) {
    combine(me, count, 3);
    // Neither group has the ranks of a carrier one after the other, or carriers in their order.
    vnode::Group odd = me.split(me.rank() % 2), reversed = me.split(0, -me.rank());
    combine(odd, count, 2);
    combine(reversed, count, 2);
    combine(me, count, 1);
  });
}

TEST_CASE("an operator that throws at a meeting ends the run for all") {
  const GivenMachine machine(two_pus);
  for (const vnode::Nodes nodes : {vnode::Nodes::fibers, vnode::Nodes::threads}) {
    vnode::Team team(20, vnode::shapes::full{}, as(nodes));
    const std::string text = sentence<std::runtime_error>(team, [&](vnode::Node& me) {
      int own = me.rank(), sum = 0;
      const auto refusing = [](int a, int b) {
        if (a + b > 100) throw std::runtime_error("too much");
        return a + b;
      };
      me.all_reduce(std::span<const int>(&own, 1), std::span<int>(&sum, 1), refusing, {"all_reduce_central"});
    });
    CHECK(text == "too much");
  }
}

TEST_CASE("a complete exchange is not entered with another call") {
  const GivenMachine machine(two_pus);
  for (const vnode::Nodes nodes : {vnode::Nodes::fibers, vnode::Nodes::threads})
    for (const int wrong : {0, 1, 2, 3, 4, 5}) {
      CAPTURE(wrong);
      vnode::Team team(12, vnode::shapes::full{}, as(nodes));
      const std::string text = sentence<vnode::Mismatch>(team, [&](vnode::Node& me) {
        Ints in(12 * 70), out(12 * 70), shorter(12 * 60);
        Ints one(1), sum(1), two(2);
        const bool odd_one = me.rank() == (wrong == 5 ? 11 : 5);  // 11: the last of its carrier
        me.all_to_all(in, out, {"all_to_all_direct"});
        if (wrong > 2 && !odd_one)
          me.all_reduce(one, sum, std::plus<>(), {"all_reduce_central"});
        else if (!odd_one || wrong == 0)
          me.all_to_all(in, out, {"all_to_all_direct"});
        else if (wrong == 1 || wrong == 5)
          me.barrier();
        else if (wrong == 2)
          me.all_to_all(shorter, {"all_to_all_direct"});
        else if (wrong == 3)
          me.all_reduce(two, std::plus<>(), {"all_reduce_central"});
        else
          me.all_gather(one, Ints(12), {"all_gather_direct"});
      });
      if (wrong == 0)
        CHECK(text.empty());
      else
        CHECK(text.find(wrong > 2 ? "all_reduce" : "all_to_all") != std::string::npos);
      if (wrong == 5) CHECK(text.find("barrier") != std::string::npos);
    }
}

TEST_CASE("who fails in or between complete exchanges ends them for all") {
  const GivenMachine machine(two_pus);
  for (const vnode::Nodes nodes : {vnode::Nodes::fibers, vnode::Nodes::threads})
    for (int failing = 0; failing < 20; ++failing) {
      vnode::Team team(9, vnode::shapes::full{}, as(nodes));
      const std::string text = sentence<std::runtime_error>(team, [&](vnode::Node& me) {
        for (int turn = 0; turn < 20; ++turn) {
          Ints in(9 * 70, turn), out(9 * 70);
          if (me.rank() == failing % 9 && turn == failing) throw std::runtime_error("enough");
          me.all_to_all(in, out, {"all_to_all_direct"});
          CHECK(out == in);
        }
      });
      CHECK(text == "enough");
    }
}
