#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <vnode/float16.hpp>

using vnode::bfloat16;
using vnode::float16;

namespace {

constexpr unsigned patterns = 1u << 16;

template <class T>
T pattern(unsigned bits) {
  return T::from_bits(static_cast<std::uint16_t>(bits));
}

/// Returns what the bits of a float16 or bfloat16 stand for, by their definition.
template <class T>
double meaning(unsigned bits) {
  constexpr int fraction = std::numeric_limits<T>::digits - 1,
                bias = std::numeric_limits<T>::max_exponent - 1;
  const int exponent = static_cast<int>((bits & 0x7fff) >> fraction), least = 1 - bias;
  const unsigned digits = bits & ((1u << fraction) - 1);
  const double sign = bits >= 0x8000 ? -1 : 1;
  if (exponent == 2 * bias + 1) return digits == 0 ? sign * HUGE_VAL : std::nan("");
  if (exponent == 0) return sign * std::ldexp(digits, least - fraction);
  return sign * std::ldexp(digits + (1u << fraction), exponent - bias - fraction);
}

/// Calls check(number, bits): the numbers are two neighbouring values, what is halfway between them and next
/// to that, where doubles have the room; the bits are those of the value that is nearest, or even.
template <class T, class Check>
void between_all(const Check& check) {
  const unsigned infinity = std::numeric_limits<T>::infinity().bits();
  for (unsigned bits = 0; bits < infinity; ++bits) {
    const double low = meaning<T>(bits);
    const double high = bits + 1 < infinity ? meaning<T>(bits + 1) : 2 * low - meaning<T>(bits - 1);
    const double half = low + (high - low) / 2;
    const std::pair<double, unsigned> cases[] = {{low, bits},
                                                 {std::nextafter(low, high), bits},
                                                 {std::nextafter(half, low), bits},
                                                 {half, bits + bits % 2},
                                                 {std::nextafter(half, high), bits + 1},
                                                 {std::nextafter(high, low), bits + 1},
                                                 {high, bits + 1}};
    for (const auto& [number, expected] : cases) {
      check(number, expected);
      check(-number, expected | 0x8000);
    }
  }
}

}

TEST_CASE_TEMPLATE("all 65536 patterns are what they say, as a float and back", T, float16, bfloat16) {
  unsigned wrong = 0;
  for (unsigned bits = 0; bits < patterns; ++bits) {
    const T number = pattern<T>(bits);
    const float value = number;
    const double expected = meaning<T>(bits);
    if (std::isnan(expected)) {
      wrong += !std::isnan(value) || std::signbit(value) != (bits >= 0x8000);
      wrong += T(value).bits() != (bits | (1u << (std::numeric_limits<T>::digits - 2)));  // quiet
    } else {
      wrong += value != expected || std::signbit(value) != (bits >= 0x8000);
      wrong += T(value).bits() != bits;
    }
    wrong += number.bits() != bits;
    wrong += (-number).bits() != (bits ^ 0x8000);
  }
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("a number is rounded once to the nearest value, from whatever type", T, float16,
                   bfloat16) {
  unsigned wrong = 0;
  between_all<T>([&](double number, unsigned expected) {
    wrong += T(number).bits() != expected;
    if (expected % 16 == 0) wrong += T(static_cast<long double>(number)).bits() != expected;
    if (static_cast<double>(static_cast<float>(number)) == number)
      wrong += T(static_cast<float>(number)).bits() != expected;
    if (std::abs(number) < 1e18 && std::trunc(number) == number && (number != 0 || expected == 0))
      wrong += T(static_cast<std::int64_t>(number)).bits() != expected;
  });
  CHECK(wrong == 0);
  // To a float first, these would be halfway between two values.
  CHECK(bfloat16(1 + 0x1p-8 + 0x1p-40).bits() == 0x3f81);
  CHECK(float16((std::int64_t{2049} << 40) + 1).bits() == std::numeric_limits<float16>::infinity().bits());
  CHECK(bfloat16((std::int64_t{257} << 40) + 1) == 0x102p40F);
  CHECK(bfloat16((std::uint64_t{257} << 55) + 1) == 0x102p55F);
}

TEST_CASE_TEMPLATE("what no float represents becomes infinite or zero, with its sign", T, float16, bfloat16) {
  const auto& limits = std::numeric_limits<T>{};
  for (const double large : {1e39, 1e300, HUGE_VAL}) {
    CHECK(T(large).bits() == limits.infinity().bits());
    CHECK(T(-large).bits() == (-limits.infinity()).bits());
  }
  CHECK(T(std::numeric_limits<long double>::max()).bits() == limits.infinity().bits());
  for (const double small : {0x1p-135, 1e-50, 1e-300, 0.0}) {
    CHECK(T(small).bits() == 0);
    CHECK(T(-small).bits() == 0x8000);
  }
  CHECK(std::isnan(T(std::nan(""))));
  CHECK(std::isnan(T(-std::numeric_limits<long double>::quiet_NaN())));
}

TEST_CASE_TEMPLATE("a sum, difference, product or quotient is the nearest value to the exact one", T, float16,
                   bfloat16) {
  unsigned wrong = 0, seed = 1;
  const auto next = [&] {
    seed = seed * 1664525u + 1013904223u;
    return pattern<T>(seed >> 16);
  };
  const double least = std::numeric_limits<T>::min();
  for (int i = 0; i < 200000; ++i) {
    const T a = next(), b = i % 2 == 0 ? next() : pattern<T>(a.bits() ^ (seed >> 26 << 6));
    const double x = static_cast<double>(a), y = static_cast<double>(b);
    const auto right = [&](T result, double exact) {  // which a double is, or rounds on the same side
      return std::isnan(exact) ? std::isnan(result) : result.bits() == T(exact).bits();
    };
    // Two bfloat16 may be too far apart for a double, too.
    const int apart = x == 0 || y == 0 || !std::isfinite(x + y) ? 0 : std::ilogb(x) - std::ilogb(y);
    if (std::abs(apart) < 40) wrong += !right(a + b, x + y) || !right(a - b, x - y);
    if (std::isnan(x * y) || std::abs(x * y) >= least) wrong += !right(a * b, x * y);
    if (std::isnan(x / y) || std::abs(x / y) >= least) wrong += !right(a / b, x / y);
  }
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("the floats of 16 bits are used as numbers are", T, float16, bfloat16) {
  static_assert(std::is_trivial_v<T> && std::is_standard_layout_v<T> && sizeof(T) == 2 && alignof(T) == 2);
  static_assert(std::is_convertible_v<T, float> && !std::is_convertible_v<float, T>);
  static_assert(std::is_same_v<decltype(T{} + T{}), T>);
  static_assert(std::is_same_v<decltype(T{} + 1.0F), float>);
  static_assert(T{} == 0 && T(2) * T(3) == 6 && -T(1.5) < T(0.5F) && T(true) == 1);
  T x(1.5);
  x += 2;
  CHECK(x == 3.5);
  x -= T(0.5);
  x *= 3;
  x /= T(2);
  CHECK(x == 4.5F);
  CHECK(std::sqrt(x * T(2)) == 3);
  CHECK(std::plus<>{}(x, x) == 9);
  CHECK(std::plus<T>{}(x, x) == std::max(T(9), T(-9)));
  CHECK(static_cast<bool>(x));
  CHECK(!T{});
  CHECK(std::numeric_limits<T>::quiet_NaN() != std::numeric_limits<T>::quiet_NaN());
}

TEST_CASE_TEMPLATE("numeric_limits tells what the patterns are", T, float16, bfloat16) {
  using Limits = std::numeric_limits<T>;
  std::vector<double> finite;
  for (unsigned bits = 1; bits < 0x8000; ++bits)
    if (std::isfinite(meaning<T>(bits))) finite.push_back(meaning<T>(bits));
  CHECK(static_cast<double>(Limits::denorm_min()) == finite.front());
  CHECK(static_cast<double>(Limits::max()) == finite.back());
  CHECK(Limits::lowest() == -Limits::max());
  CHECK(static_cast<double>(Limits::min()) == std::ldexp(1.0, Limits::min_exponent - 1));
  CHECK(std::fpclassify(static_cast<double>(Limits::min())) == FP_NORMAL);
  CHECK(pattern<T>(Limits::min().bits()) - pattern<T>(Limits::min().bits() - 1u) == Limits::denorm_min());
  CHECK(static_cast<double>(Limits::max()) ==
        std::ldexp(1 - std::ldexp(1.0, -Limits::digits), Limits::max_exponent));
  CHECK(std::isinf(Limits::infinity()));
  CHECK(Limits::epsilon() == pattern<T>(T(1).bits() + 1u) - T(1));
  CHECK(Limits::round_error() == 0.5);
  CHECK(std::isnan(Limits::quiet_NaN()));
  CHECK(std::isnan(Limits::signaling_NaN()));
  CHECK(Limits::signaling_NaN().bits() != Limits::quiet_NaN().bits());
  CHECK(Limits::digits10 == static_cast<int>((Limits::digits - 1) * std::log10(2)));
  CHECK(Limits::max_digits10 == static_cast<int>(std::ceil(1 + Limits::digits * std::log10(2))));
  CHECK(Limits::max_exponent10 == static_cast<int>(std::log10(finite.back())));
  CHECK(Limits::min_exponent10 == static_cast<int>(std::ceil(std::log10(double{Limits::min()}))));
}
