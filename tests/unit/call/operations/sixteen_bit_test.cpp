// Tests sums and products of float16 and bfloat16: how often they are rounded, by which algorithm.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

#include <vnode/model/algorithms.hpp>
#include <vnode/vnode.hpp>

#include "brief.hpp"
#include "sentence.hpp"

using namespace vnode_test;

namespace {

using enum vnode::Collective;

/// Signed numbers of several binades, whose sums round; or numbers near 1, whose products do.
template <class T, class Operator>
T brought(int rank, std::size_t i) {
  const auto mixed = (static_cast<unsigned>(rank) * 2654435761u) ^ (static_cast<unsigned>(i) * 40503u * 77u);
  const float part = static_cast<float>(mixed % 10007u) / 10007;
  if constexpr (std::is_same_v<Operator, std::multiplies<>>) return T(0.75F + part / 2);
  return T((mixed % 3 == 0 ? -30 : 70) * part * part);
}

/// Returns what is promised of the ranks 0 .. last - 1: combined in f32 from left to right, and rounded once.
template <class T, class Operator>
T rounded_once(int last, std::size_t i) {
  float wide = brought<T, Operator>(0, i);
  for (int rank = 1; rank < last; ++rank)
    wide = Operator{}(wide, static_cast<float>(brought<T, Operator>(rank, i)));
  return T(wide);
}

/// Returns whether a result is as near to the exact one, a double here, as it must be: of `roundings` to 16
/// bits, after as many operations in f32 as there are ranks.
template <class T, class Operator>
bool near_enough(T result, int last, std::size_t i, int roundings) {
  double exact = brought<T, Operator>(0, i), magnitudes = std::abs(exact);
  for (int rank = 1; rank < last; ++rank) {
    const double next = brought<T, Operator>(rank, i);
    exact = Operator{}(exact, next);
    magnitudes = Operator{}(magnitudes, std::abs(next));
  }
  const auto gamma = [](int times, double unit) { return times * unit / (1 - times * unit); };
  const double half = std::ldexp(1.0, -std::numeric_limits<T>::digits);
  const double wide = gamma(last - 1, 0x1p-24) * magnitudes;
  if (roundings <= 1)  // half an ulp of the sum in f32
    return std::abs(result - exact) <= half * (std::abs(exact) + wide) + wide;
  return std::abs(result - exact) <= gamma(roundings, half) * magnitudes + wide;
}

/// Calls check(result, last, i) for all that the node gets of a call: element i of the ranks 0 .. last - 1.
template <class T, class Operator, class Check>
void each_result(vnode::Group& me, vnode::Collective what, std::size_t count,
                 const vnode::CallOptions& options, const Check& check) {
  const int p = me.size(), r = me.rank();
  std::vector<T> in, out(count);
  for (std::size_t i = 0; i < (what == reduce_scatter ? count * static_cast<std::size_t>(p) : count); ++i)
    in.push_back(brought<T, Operator>(r, i));
  int last = p;
  std::size_t first = 0;
  if (what == reduce) {
    me.reduce(in, out, Operator{}, p / 2, options);
    if (r != p / 2) last = 0;
  } else if (what == all_reduce) {
    me.all_reduce(in, out, Operator{}, options);
  } else if (what == scan) {
    me.scan(in, out, Operator{}, options);
    last = r + 1;
  } else if (what == exclusive_scan) {
    me.exclusive_scan(in, out, Operator{}, options);
    last = r;
  } else {
    me.reduce_scatter(in, out, Operator{}, options);
    first = static_cast<std::size_t>(r) * count;
  }
  for (std::size_t i = 0; i < count && last > 0; ++i) check(out[i], last, first + i);
}

/// The ways to call an algorithm that can run on so many nodes.
std::vector<vnode::CallOptions> ways(const vnode::Algorithm& algorithm, int nodes) {
  vnode::Parameters parameters{.nodes = nodes, .root = nodes / 2};
  const vnode::Topology squarest(vnode::shapes::mesh{}, nodes);
  parameters.extents.assign(squarest.extents().begin(), squarest.extents().end());
  if (!vnode::combines(algorithm.collective) || vnode::why_not(algorithm, parameters)) return {};
  std::vector<vnode::CallOptions> all{{.algorithm = algorithm.name}};
  if (algorithm.segments) all.push_back({.algorithm = algorithm.name, .segments = 3});
  return all;
}

template <class T, class Operator>
void check_every_algorithm() {
  int once = 0, often = 0;
  std::atomic<int> otherwise{0};
  for (const int nodes : brief() ? std::vector{2, 3, 5} : std::vector{1, 2, 3, 5, 8})
    for (const std::size_t count : {1u, 7u, 1100u, 20000u}) {
      if (count > 1100 && nodes != 3) continue;  // several segments
      vnode::TeamOptions options = patient();
      options.shared_from = 2000;  // some are combined by both ends
      if (nodes % 2 == 0) options.inline_to = 0;
      vnode::Team team(nodes, vnode::shapes::full{}, options);
      for (const vnode::Algorithm& algorithm : vnode::algorithms())
        for (const vnode::CallOptions& way : ways(algorithm, nodes)) {
          INFO(algorithm.name << " on " << nodes << " nodes, " << count << " elements");
          const bool at_once = algorithm.at_once || nodes <= 2;
          (at_once ? once : often) += 1;
          std::atomic<int> wrong{0};
          team.run([&](vnode::Node& me) {
            each_result<T, Operator>(
                me, algorithm.collective, count, way, [&](T result, int last, std::size_t i) {
                  const bool promised = result.bits() == rounded_once<T, Operator>(last, i).bits();
                  wrong += !near_enough<T, Operator>(result, last, i, at_once ? 1 : last - 1) ||
                           (at_once && !promised);
                  otherwise += !promised;
                });
          });
          REQUIRE(wrong == 0);
        }
    }
  CHECK(once > 30);
  CHECK(often > 50);
  CHECK(otherwise > 1000);  // the numbers do round
}

}

TEST_CASE_TEMPLATE("sums and products of 16 bits are rounded once by what combines at once, and always near",
                   T, vnode::float16, vnode::bfloat16) {
  check_every_algorithm<T, std::plus<>>();
  check_every_algorithm<T, std::multiplies<>>();
}

TEST_CASE_TEMPLATE("the choice prefers to round once, in every form, for values too", T, vnode::float16,
                   vnode::bfloat16) {
  vnode::TeamOptions options = patient();
  options.costs = vnode::CostModel{100e-9, 0.1e-9, 0.02e-9, 0.02e-9};
  for (const int nodes : {3, 5, 8}) {
    vnode::Team team(nodes, vnode::shapes::full{}, options);
    std::atomic<int> wrong{0};
    team.run([&](vnode::Node& me) {
      using Sum = std::plus<>;
      for (const vnode::Collective what : {reduce, all_reduce, reduce_scatter, scan, exclusive_scan})
        for (const std::size_t count : {1u, 100u, 3000u}) {
          // Long ones take more than twice as long where one node reads all messages.
          if (count > 100 && what != all_reduce && what != reduce_scatter) continue;
          each_result<T, Sum>(me, what, count, {}, [&](T result, int last, std::size_t i) {
            wrong += result.bits() != rounded_once<T, Sum>(last, i).bits();
          });
          wrong += !vnode::algorithm(me.last_algorithm()).at_once;
        }
      std::vector<T> x, y;
      for (std::size_t i = 0; i < 100; ++i) x.push_back(brought<T, Sum>(me.rank(), i));
      y = x;
      vnode::Request request = me.nonblocking().all_reduce(x, Sum{});
      vnode::Persistent planned = me.persistent().all_reduce(y, Sum{});
      planned.start();
      planned.wait();
      request.wait();
      const T sum = me.all_reduce(brought<T, Sum>(me.rank(), 0), Sum{});
      wrong += sum.bits() != rounded_once<T, Sum>(me.size(), 0).bits();
      for (std::size_t i = 0; i < 100; ++i)
        wrong += x[i].bits() != rounded_once<T, Sum>(me.size(), i).bits() || x[i].bits() != y[i].bits();
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE_TEMPLATE("a sum that fits is right though it would not on the way, where it is rounded once", T,
                   vnode::float16, vnode::bfloat16) {
  vnode::Team team(4, vnode::shapes::full{}, patient());
  team.run([&](vnode::Node& me) {
    const float large = std::min(65504.0F, 0x1p100F);  // two of them are more than float16 has
    const T mine(me.rank() < 2 ? large : -large);
    CHECK(me.all_reduce(mine, std::plus<>{}, {.algorithm = "all_reduce_one_shot_direct"}) == 0);
    std::vector<T> many(100, mine);
    me.all_reduce(many, std::plus<>{}, {.algorithm = "all_reduce_two_shot_direct"});
    CHECK(std::ranges::count(many, T(0)) == 100);
  });
}
