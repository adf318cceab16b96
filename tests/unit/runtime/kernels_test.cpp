#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <vector>

#include <vnode/operator.hpp>

#include "runtime/kernels/table.hpp"

using namespace vnode;

namespace {

/// The tables that this processor can run.
std::vector<const KernelTable*> tables() {
  std::vector<const KernelTable*> all{&baseline_kernels};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
    all.push_back(&avx2_kernels);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    all.push_back(&avx512_kernels);
#endif
  return all;
}

template <class T>
std::vector<T> numbers(std::size_t count, unsigned seed) {
  std::vector<T> made(count);
  for (std::size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    made[i] = static_cast<T>(static_cast<std::int64_t>(seed >> 16) - 32768);
    if (seed % 5 == 0) made[i] = T{};
    if (seed % 7 == 0) made[i] = std::numeric_limits<T>::max();
  }
  return made;
}

/// As the standard's operators define it, on integers modulo 2^n.
template <class T>
T reference(StandardOperator op, T a, T b) {
  switch (op) {
    case StandardOperator::plus:
      if constexpr (std::integral<T>)
        return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
      return static_cast<T>(a + b);
    case StandardOperator::multiplies:
      if constexpr (std::integral<T>)
        return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
      return static_cast<T>(a * b);
    case StandardOperator::minimum:
      return std::min(a, b);
    case StandardOperator::maximum:
      return std::max(a, b);
    case StandardOperator::logical_and:
      return static_cast<T>(a != T{} && b != T{});
    case StandardOperator::logical_or:
      return static_cast<T>(a != T{} || b != T{});
    default:
      break;
  }
  if constexpr (std::integral<T>) {
    if (op == StandardOperator::bit_and) return static_cast<T>(a & b);
    if (op == StandardOperator::bit_or) return static_cast<T>(a | b);
    return static_cast<T>(a ^ b);
  }
  return T{};
}

constexpr StandardOperator all_operators[] = {
    StandardOperator::plus,    StandardOperator::multiplies,  StandardOperator::minimum,
    StandardOperator::maximum, StandardOperator::bit_and,     StandardOperator::bit_or,
    StandardOperator::bit_xor, StandardOperator::logical_and, StandardOperator::logical_or};

}

TEST_CASE_TEMPLATE("every kernel computes its operator, wherever the result goes", T, std::int8_t,
                   std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
                   std::uint64_t, float, double) {
  for (const KernelTable* table : tables())
    for (const StandardOperator op : all_operators) {
      const auto combine = (*table)[static_cast<std::size_t>(op)][static_cast<std::size_t>(arithmetic<T>())];
      const bool bitwise = op == StandardOperator::bit_and || op == StandardOperator::bit_or ||
                           op == StandardOperator::bit_xor;
      if (bitwise && !std::integral<T>) {
        CHECK((combine == nullptr));
        continue;
      }
      for (const std::size_t count : {0u, 1u, 3u, 16u, 33u, 257u}) {
        const auto left = numbers<T>(count, 1), right = numbers<T>(count, 2);
        std::vector<T> expected(count);
        for (std::size_t i = 0; i < count; ++i) expected[i] = reference(op, left[i], right[i]);
        std::vector<T> apart(count), onto_left = left, onto_right = right;
        combine(nullptr, apart.data(), left.data(), right.data(), count);
        combine(nullptr, onto_left.data(), onto_left.data(), right.data(), count);
        combine(nullptr, onto_right.data(), left.data(), onto_right.data(), count);
        CHECK(apart == expected);
        CHECK(onto_left == expected);
        CHECK(onto_right == expected);
      }
    }
}

TEST_CASE("operators are recognised by type, and only where they mean what they say") {
  CHECK(standard_match<std::plus<>, double>().found);
  CHECK(standard_match<std::plus<double>, double>().found);
  CHECK_FALSE(standard_match<std::plus<float>, double>().found);
  CHECK_FALSE(standard_match<std::minus<>, double>().found);
  CHECK(is_commutative<std::bit_xor<>, int>);
  struct Mine {
    int operator()(int a, int b) const { return a + b; }
  };
  CHECK_FALSE(is_commutative<Mine, int>);
  CHECK(is_commutative<commutative<Mine>, int>);
}

TEST_CASE_TEMPLATE("on bool every operator says what it says on two truths, and bytes stay 0 or 1", Operator,
                   std::plus<>, std::plus<bool>, std::multiplies<>, minimum, maximum, std::bit_and<>,
                   std::bit_or<>, std::bit_xor<>, std::logical_and<>, std::logical_and<bool>,
                   std::logical_or<>) {
  CHECK(is_commutative<Operator, bool>);
  Operator op;
  const Reduction reduction = reduction_of<bool>(op);
  CHECK(reduction.commutative);
  CHECK((reduction.combine == kernel_of<bool, Operator>()));
  std::array<bool, 300> left{}, right{}, out{};
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i % 2 == 1, right[i] = i / 2 % 2 == 1;
  reduction.combine(reduction.state, out.data(), left.data(), right.data(), out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    CHECK(out[i] == static_cast<bool>(op(left[i], right[i])));
    CHECK(reinterpret_cast<const unsigned char&>(out[i]) <= 1);
  }
}

TEST_CASE("an operator that may change sides on floating point that has no kernel may do so too") {
  CHECK(is_commutative<std::plus<>, long double>);
  CHECK((kernel_of<long double, std::plus<>>() == nullptr));
  std::plus<> op;
  const Reduction reduction = reduction_of<long double>(op);
  long double left = 1, right = 2, out = 0;
  reduction.combine(reduction.state, &out, &left, &right, 1);
  CHECK(out == 3);
}

TEST_CASE_TEMPLATE("the least and the greatest value bring their place, equal ones the lower", T, std::int8_t,
                   unsigned, std::int64_t, float, double) {
  const minimum_location least;
  const maximum_location greatest;
  std::vector<Located<T>> all;
  for (const int value : {0, 1, 2, 100})
    for (const std::int64_t index :
         {std::int64_t{-1}, std::int64_t{0}, std::int64_t{7}, std::int64_t{1} << 40})
      all.push_back({static_cast<T>(value), index});
  for (const auto& a : all)
    for (const auto& b : all) {
      const Located<T>& lower = a.index < b.index ? a : b;
      CHECK(least(a, b) == (a.value < b.value ? a : b.value < a.value ? b : lower));
      CHECK(greatest(a, b) == (a.value > b.value ? a : b.value > a.value ? b : lower));
      for (const auto& c : all) {
        CHECK(least(a, least(b, c)) == least(least(a, b), c));
        CHECK(greatest(a, greatest(b, c)) == greatest(greatest(a, b), c));
      }
    }
  CHECK(is_commutative<minimum_location, Located<T>>);
  CHECK(is_commutative<maximum_location, Located<T>>);
  CHECK_FALSE(is_commutative<minimum_location, T>);
}

TEST_CASE("a place is found whichever side a value that is not ordered comes from") {
  const Located<double> nothing{std::nan(""), 3}, something{5, 1}, later{5, 4};
  for (const auto& [a, b] : {std::pair(nothing, something), std::pair(nothing, later)}) {
    CHECK(minimum_location{}(a, b).index == minimum_location{}(b, a).index);
    CHECK(maximum_location{}(a, b).index == maximum_location{}(b, a).index);
  }
  CHECK(maximum_location{}(nothing, something) == something);
}

static_assert(maximum_location{}(Located{1, 5}, Located{2, 9}).index == 9);
static_assert(minimum_location{}(Located{2.5, 5}, Located{2.5, 4}).index == 4);
