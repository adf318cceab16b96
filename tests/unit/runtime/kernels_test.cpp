#include <algorithm>
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
