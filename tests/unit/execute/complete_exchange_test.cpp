// Nodes that share cores carry out an all_gather or all_to_all of one round by reading each other's memory
// between two meetings (compile/complete_exchange.hpp).
#include <algorithm>
#include <cstddef>
#include <doctest/doctest.h>
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

}

TEST_CASE("complete exchanges of nodes that share cores, in place and not, in flight, in groups") {
  const GivenMachine machine(two_pus);
  for (const vnode::Nodes nodes : {vnode::Nodes::fibers, vnode::Nodes::threads})
    for (const int p : {3, 12, 40})
      for (const std::size_t count : {1, 70, 9000}) {
        if (p == 40 && count == 9000) continue;
        CAPTURE(static_cast<int>(nodes));
        CAPTURE(p);
        CAPTURE(count);
        vnode::Team team(p, vnode::shapes::full{}, as(nodes));
        team.run([&](vnode::Node& me) {
          exchange(me, count, 3);
          vnode::Group half = me.split(me.rank() % 2);
          exchange(half, count, 2);
          exchange(me, count, 1);
        });
      }
}

TEST_CASE("a complete exchange is not entered with another call") {
  const GivenMachine machine(two_pus);
  for (const vnode::Nodes nodes : {vnode::Nodes::fibers, vnode::Nodes::threads})
    for (const int wrong : {0, 1, 2}) {
      CAPTURE(wrong);
      vnode::Team team(12, vnode::shapes::full{}, as(nodes));
      const std::string text = sentence<vnode::Mismatch>(team, [&](vnode::Node& me) {
        Ints in(12 * 70), out(12 * 70), shorter(12 * 60);
        me.all_to_all(in, out, {"all_to_all_direct"});
        if (me.rank() != 5 || wrong == 0)
          me.all_to_all(in, out, {"all_to_all_direct"});
        else if (wrong == 1)
          me.barrier();
        else
          me.all_to_all(shorter, {"all_to_all_direct"});
      });
      if (wrong == 0)
        CHECK(text.empty());
      else
        CHECK(text.find("all_to_all") != std::string::npos);
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
