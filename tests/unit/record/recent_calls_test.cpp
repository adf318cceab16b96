// Calls of a shape that has been seen before are looked at no more. What makes a difference is part of the
// shape.
#include <doctest/doctest.h>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

namespace {

using Longs = std::vector<long>;

struct Minus {
  long operator()(long left, long right) const { return left - right; }
};

/// Different on every node.
Longs numbers(vnode::Node& me, std::size_t count, long first) {
  Longs made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = first + 10 * me.rank() + static_cast<long>(i);
  return made;
}

}

TEST_CASE("calls that differ in one thing only, one after the other, twice") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    for (int time = 0; time < 2; ++time) {
      const Longs x = numbers(me, 4, 1);  // of nodes 0, 1, 2: 1.., 11.., 21..
      Longs apart(4), in_place = x;
      me.all_reduce(x, apart, std::plus<>{});
      me.all_reduce(in_place, std::plus<>{});
      CHECK(apart == Longs{33, 36, 39, 42});
      CHECK(in_place == apart);
      me.all_reduce(x, apart, std::multiplies<>{});
      CHECK(apart[0] == 1 * 11 * 21);
      me.all_reduce(x, apart, Minus{});
      CHECK(apart[0] == 1 - 11 - 21);
      me.all_reduce(x, apart, vnode::commutative{[](long a, long b) { return a + b; }});
      CHECK(apart[0] == 33);
      me.all_reduce(x, apart, std::plus<>{}, {.deterministic = true});
      CHECK(apart[0] == 33);
      for (const char* name : {"all_reduce_ring", "all_reduce_binomial", "all_reduce_ring"}) {
        me.all_reduce(x, apart, std::plus<>{}, {name});
        CHECK(me.last_algorithm() == name);
        CHECK(apart[0] == 33);
      }
      for (const int root : {0, 2, 1}) {
        Longs sum = x;
        me.reduce(sum, std::plus<>{}, root);
        CHECK(sum[0] == (me.rank() == root ? 33 : x[0]));
      }
      for (const int shift : {1, -1, 2, 0}) {
        me.circular_shift(x, apart, shift);
        CHECK(apart[0] == 1 + 10 * (((me.rank() - shift) % 3 + 3) % 3));
      }
      std::vector<int> small(4, me.rank());  // as many elements of another type
      me.all_reduce(small, std::plus<>{});
      CHECK(small == std::vector<int>(4, 3));
      std::vector<double> wide(4, me.rank());  // as wide as a long
      me.all_reduce(wide, std::plus<>{});
      CHECK(wide == std::vector<double>(4, 3.0));
    }
  });
}

TEST_CASE("what makes no sense is refused though calls like it have been made") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  const auto after_good_ones = [&](const auto& bad) {
    return sentence<vnode::UsageError>(team, [&](vnode::Node& me) {
      Longs data(16), out(8);
      const std::span first(data.data(), 8);
      for (int i = 0; i < 3; ++i) {
        me.all_reduce(first, out, std::plus<>{});
        me.all_reduce(first, std::plus<>{});
        me.broadcast(first, 0);
      }
      bad(me, data, out);
    });
  };
  CHECK(after_good_ones([](vnode::Node& me, Longs& data, Longs&) {
          me.all_reduce(std::span(data.data(), 8), std::span(data.data() + 1, 8), std::plus<>{});
        }).find("all_reduce: in and out overlap") == 0);
  CHECK(after_good_ones([](vnode::Node& me, Longs& data, Longs& out) {
          me.all_reduce(std::span(data.data(), 8), std::span(out.data(), 7), std::plus<>{});
        }).find("all_reduce: out has 7 elements") == 0);
  CHECK(after_good_ones([](vnode::Node& me, Longs& data, Longs&) {
          me.broadcast(std::span(data.data(), 8), 2);
        }).find("root 2 is not a node") == 0);
  CHECK(after_good_ones([](vnode::Node& me, Longs& data, Longs&) {
          me.broadcast(std::span(data.data(), 8), 0, {.segments = -1});
        }).find("broadcast: segments -1 is negative") == 0);
  CHECK(after_good_ones([](vnode::Node& me, Longs& data, Longs& out) {
          me.all_reduce(std::span(data.data(), 8), out, std::plus<>{}, {"all_reduce_by_post"});
        }).find("all_reduce_by_post") != std::string::npos);
}
