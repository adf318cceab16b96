#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <vnode/operator.hpp>

#include "execute/kernels/table.hpp"

using namespace vnode;

namespace {

template <class T>
std::vector<T> numbers(std::size_t count, unsigned seed) {
  std::vector<T> made(count);
  for (std::size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    if constexpr (is_sixteen_bit_float<T>) {
      made[i] = T::from_bits(static_cast<std::uint16_t>(seed >> 16));  // NaNs and subnormal numbers, too
    } else {
      made[i] = static_cast<T>(static_cast<std::int64_t>(seed >> 16) - 32768);
      if (seed % 7 == 0) made[i] = std::numeric_limits<T>::max();
    }
    if (seed % 5 == 0) made[i] = T{};
  }
  return made;
}

/// Returns whether two results are the same: all bits, but for those of NaN.
template <class T>
bool same(const T& a, const T& b) {
  if constexpr (std::integral<T>) return a == b;
  if constexpr (!std::integral<T>) {
    const auto bits = static_cast<long double>(a), others = static_cast<long double>(b);
    return std::isnan(bits) ? std::isnan(others)
                            : bits == others && std::signbit(bits) == std::signbit(others);
  }
}
template <class T>
bool same(const std::complex<T>& a, const std::complex<T>& b) {
  return same(a.real(), b.real()) && same(a.imag(), b.imag());
}
template <class T>
bool same(const Located<T>& a, const Located<T>& b) {
  return same(a.value, b.value) && a.index == b.index;
}
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(a, b, [](const T& one, const T& other) { return same(one, other); });
}

/// Calls the kernel where the result goes apart and where it goes to an operand, on vectors that begin at an
/// odd address where the type allows it, and compares.
template <class T, class Expected>
void check_everywhere(Reduction::Combine combine, const std::vector<T>& left, const std::vector<T>& right,
                      const Expected& expected_of) {
  std::vector<T> expected;
  for (std::size_t i = 0; i < left.size(); ++i) expected.push_back(expected_of(left[i], right[i]));
  for (const std::size_t skip : {0u, 1u, 3u}) {
    const auto moved = [&](const std::vector<T>& by) {
      std::vector<T> made(skip);
      made.insert(made.end(), by.begin(), by.end());
      return made;
    };
    const std::vector<T> a = moved(left), b = moved(right), wanted = moved(expected);
    std::vector<T> apart(a.size()), onto_left = a, onto_right = b;
    combine(nullptr, apart.data() + skip, a.data() + skip, b.data() + skip, left.size());
    combine(nullptr, onto_left.data() + skip, onto_left.data() + skip, b.data() + skip, left.size());
    combine(nullptr, onto_right.data() + skip, a.data() + skip, onto_right.data() + skip, left.size());
    CHECK(same(apart, wanted));
    CHECK(same(onto_left, wanted));
    CHECK(same(onto_right, wanted));
  }
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
    case StandardOperator::logical_xor:
      return static_cast<T>((a != T{}) != (b != T{}));
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

/// Of every pattern of bits, one of eight.
template <class T>
bool seldom(T number) {
  return number.bits() % 8 == 0;
}

constexpr StandardOperator all_operators[] = {StandardOperator::plus,       StandardOperator::multiplies,
                                              StandardOperator::minimum,    StandardOperator::maximum,
                                              StandardOperator::bit_and,    StandardOperator::bit_or,
                                              StandardOperator::bit_xor,    StandardOperator::logical_and,
                                              StandardOperator::logical_or, StandardOperator::logical_xor};

}

TEST_CASE_TEMPLATE("every kernel computes its operator, wherever the result goes", T, std::int8_t,
                   std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
                   std::uint64_t, float, double, long double, float16, bfloat16) {
  for (const KernelTable& table : kernels_here())
    for (const StandardOperator op : all_operators) {
      const auto combine =
          table[static_cast<std::size_t>(op)].combine[static_cast<std::size_t>(arithmetic<T>())];
      const bool bitwise = op == StandardOperator::bit_and || op == StandardOperator::bit_or ||
                           op == StandardOperator::bit_xor;
      if (bitwise && !std::integral<T>) {
        CHECK((combine == nullptr));
        continue;
      }
      for (const std::size_t count : {0u, 1u, 3u, 16u, 33u, 257u, is_sixteen_bit_float<T> ? 100003u : 1000u})
        check_everywhere(combine, numbers<T>(count, 1), numbers<T>(count, 2),
                         [&](T a, T b) { return reference(op, a, b); });
    }
}

TEST_CASE_TEMPLATE("sums and products of complex numbers have kernels, infinite ones too", T, float, double) {
  using Number = std::complex<T>;
  static_assert(arithmetic<Number>() == (sizeof(T) == 4 ? Arithmetic::complex_f32 : Arithmetic::complex_f64));
  CHECK((kernels_of<std::complex<long double>, std::plus<>>().combine == nullptr));
  constexpr T infinity = std::numeric_limits<T>::infinity();
  const T parts[] = {0, -0.0, 1, T(-2.5), T(1e30), infinity, -infinity, std::numeric_limits<T>::quiet_NaN()};
  std::vector<Number> left, right, plain_left, plain_right;
  for (const T a : parts)
    for (const T b : parts)
      for (const T c : parts)
        for (const T d : parts) left.emplace_back(a, b), right.emplace_back(c, d);
  for (int i = 0; i < 1001; ++i) {
    plain_left.emplace_back(T(0.1) * T(i), T(0.7) - T(i));
    plain_right.emplace_back(T(1) / T(i + 1), T(0.3) * T(i));
  }
  for (const KernelTable& table : kernels_here()) {
    const auto combine = [&](StandardOperator op) {
      return table[static_cast<std::size_t>(op)].combine[static_cast<std::size_t>(arithmetic<Number>())];
    };
    for (const auto& [a, b] : {std::pair(left, right), std::pair(plain_left, plain_right)}) {
      check_everywhere(combine(StandardOperator::plus), a, b, std::plus<>{});
      check_everywhere(combine(StandardOperator::multiplies), a, b, std::multiplies<>{});
    }
    for (const StandardOperator op : all_operators)
      if (op != StandardOperator::plus && op != StandardOperator::multiplies) CHECK((combine(op) == nullptr));
  }
}

TEST_CASE_TEMPLATE("every kernel finds the least and the greatest value and its place", T, std::int8_t,
                   std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
                   std::uint64_t, float, double, long double, float16, bfloat16) {
  for (const std::size_t count : {0u, 1u, 3u, 16u, 33u, 257u, 1000u}) {
    const auto located = [&](unsigned seed) {
      const auto values = numbers<T>(count, seed / 3);  // some are equal
      std::vector<Located<T>> made;
      for (std::size_t i = 0; i < count; ++i)
        made.push_back({values[i], static_cast<std::int64_t>((i * seed) % 17) - 8});
      return made;
    };
    const auto check = [&](auto op, StandardOperator named) {
      CHECK((kernels_of<Located<T>, decltype(op)>().combine ==
             standard_kernels(named, arithmetic<T>()).combine));
      for (const KernelTable& table : kernels_here())
        for (const unsigned seed : {4u, 7u})
          check_everywhere(
              table[static_cast<std::size_t>(named)].combine[static_cast<std::size_t>(arithmetic<T>())],
              located(3), located(seed), op);
    };
    check(minimum_location{}, StandardOperator::minimum_location);
    check(maximum_location{}, StandardOperator::maximum_location);
  }
  CHECK((kernels_of<T, minimum_location>().combine == nullptr));
  CHECK((kernels_of<Located<T>, std::plus<>>().combine == nullptr));
}

TEST_CASE_TEMPLATE("many floats of 16 bits are combined in f32, from left to right, and rounded once", T,
                   float16, bfloat16) {
  constexpr auto type = static_cast<std::size_t>(arithmetic<T>());
  for (const KernelTable& table : kernels_here())
    for (const StandardOperator op : {StandardOperator::plus, StandardOperator::multiplies})
      for (const std::size_t lists_count : {2u, 3u, 5u, 8u, 13u})
        for (const std::size_t count : {0u, 1u, 7u, 31u, 32u, 33u, 1000u}) {
          std::vector<std::vector<T>> lists;
          std::vector<const std::byte*> begins;
          for (unsigned list = 0; list < lists_count; ++list) {
            lists.push_back(numbers<T>(count + 1, list));
            for (T& number : lists.back())  // so that most results are finite and no zero
              if (list > 0 || seldom(number)) number = T(1 + std::fmod(std::abs(float{number}), 1.0F));
            if (list % 2 == 1)
              for (T& number : lists.back()) number = -number;
          }
          for (const auto& list : lists)
            begins.push_back(reinterpret_cast<const std::byte*>(list.data() + 1));
          std::vector<T> expected;
          for (std::size_t i = 0; i < count; ++i) {
            float wide = lists[0][i + 1];
            for (std::size_t list = 1; list < lists_count; ++list)
              wide = reference(op, wide, float{lists[list][i + 1]});
            expected.push_back(T(wide));
          }
          const auto combine = table[static_cast<std::size_t>(op)].combine_all[type];
          std::vector<T> apart(count);
          combine(reinterpret_cast<std::byte*>(apart.data()), begins.data(), lists_count, count);
          CHECK(same(apart, expected));
          std::vector<T>& last = lists.back();  // where one of the lists is
          combine(reinterpret_cast<std::byte*>(last.data() + 1), begins.data(), lists_count, count);
          CHECK(same(std::vector<T>(last.begin() + 1, last.end()), expected));
        }
  for (const KernelTable& table : kernels_here())
    for (const OperatorKernels& of : table)
      for (std::size_t other = 0; other < arithmetics; ++other) {
        CHECK((of.combine_all[other] != nullptr) == (of.combine[other] != nullptr));
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
                   std::logical_or<>, logical_xor) {
  CHECK(is_commutative<Operator, bool>);
  Operator op;
  const Reduction reduction = reduction_of<bool>(op);
  CHECK((reduction.combine == kernels_of<bool, Operator>().combine));
  std::array<bool, 300> left{}, right{}, out{};
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i % 2 == 1, right[i] = i / 2 % 2 == 1;
  reduction.combine(reduction.state, out.data(), left.data(), right.data(), out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    CHECK(out[i] == static_cast<bool>(op(left[i], right[i])));
    CHECK(reinterpret_cast<const unsigned char&>(out[i]) <= 1);
  }
}

TEST_CASE("an operator that may change sides on floating point that has no kernel may do so too") {
  using Number = std::complex<long double>;
  CHECK(is_commutative<std::plus<>, Number>);
  CHECK((kernels_of<Number, std::plus<>>().combine == nullptr));
  std::plus<> op;
  const Reduction reduction = reduction_of<Number>(op);
  Number left = 1, right = 2, out = 0;
  reduction.combine(reduction.state, &out, &left, &right, 1);
  CHECK(out == Number(3));
}

TEST_CASE_TEMPLATE(
    "sums and products of 16 bits say that they round once, other operators that they need not", T, float16,
    bfloat16) {
  CHECK(rounds_once<T, std::plus<>>);
  CHECK(rounds_once<T, std::plus<T>>);
  CHECK(rounds_once<T, std::multiplies<>>);
  CHECK_FALSE(rounds_once<T, minimum>);
  CHECK_FALSE(rounds_once<T, logical_xor>);
  CHECK_FALSE(rounds_once<float, std::plus<>>);
  const auto made = [](auto op) { return reduction_of<T>(op); };
  for (const Reduction& standard : {made(std::plus<>{}), made(std::plus<T>{}), made(minimum{})}) {
    CHECK((standard.combine_all != nullptr));
    CHECK(standard.parallel);
  }
  CHECK((made([](T a, T b) { return a + b; }).combine_all == nullptr));
  CHECK(narrows<std::plus<int>, T>);
  CHECK_FALSE(narrows<std::plus<double>, T>);
}

TEST_CASE_TEMPLATE("the least and the greatest value bring their place, equal ones the lower", T, std::int8_t,
                   unsigned, std::int64_t, float, double, float16, bfloat16) {
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

TEST_CASE("kernels combine many lists as they combine two by two from left to right, to the last bit") {
  constexpr std::size_t longest = 1500, most_lists = 5;
  std::mt19937 random(7);
  const auto check = [&]<class T>(T, Arithmetic arithmetic, const auto& value) {
    const auto type = static_cast<std::size_t>(arithmetic);
    std::vector<std::vector<T>> lists(most_lists, std::vector<T>(longest));
    for (auto& list : lists)
      for (T& each : list) each = value();
    const auto bytes = [](auto& list) { return reinterpret_cast<const std::byte*>(list.data()); };
    for (const KernelTable& table : kernels_here())
      for (std::size_t op = 0; op <= static_cast<std::size_t>(StandardOperator::logical_xor); ++op) {
        const auto two = table[op].combine[type];
        if (two == nullptr || (is_sixteen_bit_float<T> && op < 2)) continue;
        for (const std::size_t count : {std::size_t{1}, std::size_t{4}, std::size_t{5}, longest})
          for (std::size_t n = 1; n <= most_lists; ++n) {
            std::vector<const std::byte*> begins;
            for (std::size_t i = 0; i < n; ++i) begins.push_back(bytes(lists[i]));
            std::vector<T> expected = lists[0];
            for (std::size_t i = 1; i < n; ++i)
              two(nullptr, expected.data(), expected.data(), begins[i], count);
            for (std::size_t place = 0; place <= n; ++place) {  // in the place of a list, or apart
              std::vector<T> own = place < n ? lists[place] : std::vector<T>(longest);
              if (place < n) begins[place] = bytes(own);
              table[op].combine_all[type](reinterpret_cast<std::byte*>(own.data()), begins.data(), n, count);
              CHECK(std::memcmp(own.data(), expected.data(), count * sizeof(T)) == 0);
              if (place < n) begins[place] = bytes(lists[place]);
            }
          }
      }
  };
  const auto number = [&] { return 1 + static_cast<double>(random() % 1000) / 1024; };
  check(std::int8_t{}, Arithmetic::i8, [&] { return static_cast<std::int8_t>(random()); });
  check(std::uint16_t{}, Arithmetic::u16, [&] { return static_cast<std::uint16_t>(random()); });
  check(std::uint32_t{}, Arithmetic::u32, [&] { return static_cast<std::uint32_t>(random()); });
  check(std::int64_t{}, Arithmetic::i64, [&] { return static_cast<std::int64_t>(random()) << 16; });
  check(float{}, Arithmetic::f32, [&] { return static_cast<float>(number()); });
  check(double{}, Arithmetic::f64, number);
  check(float16{}, Arithmetic::f16, [&] { return float16(static_cast<float>(number())); });
  check(std::complex<double>{}, Arithmetic::complex_f64,
        [&] { return std::complex<double>(number(), -number()); });
}
