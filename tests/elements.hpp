#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string_view>

#include <vnode/model/algorithms.hpp>
#include <vnode/operator.hpp>

// What random calls are made with: types, their operators, and values for them.
namespace vnode_test {

/// Two numbers that a user adds up in her own way.
struct Pair {
  std::int32_t sum;
  std::uint16_t product;
  friend bool operator==(const Pair&, const Pair&) = default;
};
struct PairSum {
  Pair operator()(const Pair& a, const Pair& b) const {
    return {a.sum + b.sum, static_cast<std::uint16_t>(std::uint32_t{a.product} * b.product)};
  }
};

/// 2 x 2 matrices modulo 2^32: associative, not commutative.
struct Matrix {
  std::uint32_t a, b, c, d;
  friend bool operator==(const Matrix&, const Matrix&) = default;
};
struct MatrixProduct {
  Matrix operator()(const Matrix& x, const Matrix& y) const {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
  }
};

/// Spells the order of the operands, as the result of concatenation. A longer text begins again at the front
/// of the room.
struct Text {
  std::uint8_t length;
  std::array<std::uint8_t, 70> letters;
  friend bool operator==(const Text&, const Text&) = default;
};
struct Concatenation {
  Text operator()(const Text& x, const Text& y) const {
    Text joined = x;
    const std::size_t room = joined.letters.size();
    for (std::size_t i = 0; i < y.length; ++i) joined.letters[(x.length + i) % room] = y.letters[i % room];
    joined.length = static_cast<std::uint8_t>(x.length + y.length);
    return joined;
  }
};

/// Describes what a program's nodes throw.
struct Thrown : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Is an operator that fails at its n-th application on the node that has lit the fuse.
template <class Operator>
struct Fused {
  int* fuse;
  template <class T>
  T operator()(const T& a, const T& b) const {
    if (fuse != nullptr && *fuse > 0 && --*fuse == 0) throw Thrown("in the operator");
    return Operator()(a, b);
  }
};

/// Returns the mixing function of splitmix64.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// A type with an operator. Results are exact for up to 4096 nodes, unless it says otherwise.
enum class Element : std::uint8_t {
  i8,                   ///< wraps around
  f32,                  ///< small whole numbers
  u64,                  ///< the greatest
  f16,                  ///< sums that are rounded, how often depends on the algorithm
  bf16,                 ///< likewise
  long_double,          ///< more bits than a double has
  complex_f32,          ///< products of 1, i, -1, -i
  complex_f64,          ///< small whole numbers
  exclusive,            ///< vnode::logical_xor
  least,                ///< the least double and where it is
  greatest,             ///< the greatest bfloat16 and where it is
  pair,                 ///< a commutative operator of the user's, which may throw
  matrix,               ///< 2 x 2 modulo 2^32: not commutative; may throw
  text,                 ///< its result spells the order of its operands; may throw
  rounding,             ///< doubles whose sum depends on the expression: for deterministic calls
  rounding_f16,         ///< likewise
  rounding_bf16,        ///< likewise
  rounding_complex_f32  ///< likewise
};
inline constexpr int element_kinds = 18;

/// Of an element kind: its `name`; its `Type`; `value(random)` for a random word; `operation(fuse)`; the type
/// `Wide` that its results are computed in, before they are rounded; and what is special.
template <class T, class Operator>
struct Kind {
  using Type = T;
  using Wide = T;
  static constexpr bool commutes = true;
  static constexpr bool deterministic = false;  ///< the result is that of the canonical expression
  static constexpr bool rounds = false;         ///< all values are positive, and the result may be near
  static Operator operation(int*) { return {}; }
};
template <Element>
struct Values;

template <class T>
struct WholeNumbers : Kind<T, std::plus<>> {
  static T value(std::uint64_t random) { return static_cast<T>(random % 200); }
};
template <>
struct Values<Element::i8> : WholeNumbers<std::int8_t> {
  static constexpr std::string_view name = "i8";
};
template <>
struct Values<Element::f32> : WholeNumbers<float> {
  static constexpr std::string_view name = "f32";
};
template <>
struct Values<Element::u64> : Kind<std::uint64_t, vnode::maximum> {
  static constexpr std::string_view name = "u64";
  static Type value(std::uint64_t random) { return random; }
};
/// Sums of 4096 of them are exact in f32, in any order.
template <class T>
struct NearOne : Kind<T, std::plus<>> {
  using Wide = float;
  static constexpr bool rounds = true;
  static T value(std::uint64_t random) { return T(1 + static_cast<float>(random % 1024) / 1024); }
};
template <>
struct Values<Element::f16> : NearOne<vnode::float16> {
  static constexpr std::string_view name = "f16";
};
template <>
struct Values<Element::bf16> : NearOne<vnode::bfloat16> {
  static constexpr std::string_view name = "bf16";
};
template <>
struct Values<Element::long_double> : Kind<long double, std::plus<>> {
  static constexpr std::string_view name = "long double";
  static Type value(std::uint64_t random) {
    constexpr int last = 20 - std::numeric_limits<Type>::digits;  // of 4096 * 200 < 2^20
    return static_cast<Type>(random % 200) + std::ldexp(static_cast<Type>(random >> 60), last);
  }
};
template <>
struct Values<Element::complex_f32> : Kind<std::complex<float>, std::multiplies<>> {
  static constexpr std::string_view name = "complex<float>";
  static Type value(std::uint64_t random) {
    const float sign = random % 2 == 0 ? 1 : -1;
    return random % 4 < 2 ? Type(sign, 0) : Type(0, sign);
  }
};
template <>
struct Values<Element::complex_f64> : Kind<std::complex<double>, std::plus<>> {
  static constexpr std::string_view name = "complex<double>";
  static Type value(std::uint64_t random) {
    return {static_cast<double>(random % 200), static_cast<double>(random >> 32 & 0xffff)};
  }
};
template <>
struct Values<Element::exclusive> : Kind<std::int32_t, vnode::logical_xor> {
  static constexpr std::string_view name = "exclusive";
  static Type value(std::uint64_t random) { return static_cast<Type>(random % 4) - 1; }
};
template <class T, class Operator>
struct Places : Kind<vnode::Located<T>, Operator> {
  static vnode::Located<T> value(std::uint64_t random) {
    return {static_cast<T>(static_cast<int>(random % 10)), static_cast<std::int64_t>(random >> 20)};
  }
};
template <>
struct Values<Element::least> : Places<double, vnode::minimum_location> {
  static constexpr std::string_view name = "least";
};
template <>
struct Values<Element::greatest> : Places<vnode::bfloat16, vnode::maximum_location> {
  static constexpr std::string_view name = "greatest";
};
template <>
struct Values<Element::pair> : Kind<Pair, PairSum> {
  static constexpr std::string_view name = "pair";
  static Pair value(std::uint64_t random) {
    return {static_cast<std::int32_t>(random % 1000), static_cast<std::uint16_t>(random >> 20 | 1)};
  }
  static vnode::commutative<Fused<PairSum>> operation(int* fuse) { return {Fused<PairSum>{fuse}}; }
};
template <>
struct Values<Element::matrix> : Kind<Matrix, MatrixProduct> {
  static constexpr std::string_view name = "matrix";
  static constexpr bool commutes = false;
  static Matrix value(std::uint64_t random) {
    const auto low = static_cast<std::uint32_t>(random), high = static_cast<std::uint32_t>(random >> 32);
    return {low | 1, high, low >> 7, high | 1};
  }
  static Fused<MatrixProduct> operation(int* fuse) { return {fuse}; }
};
template <>
struct Values<Element::text> : Kind<Text, Concatenation> {
  static constexpr std::string_view name = "text";
  static constexpr bool commutes = false;
  static Text value(std::uint64_t random) {
    Text text{1, {}};
    text.letters[0] = static_cast<std::uint8_t>(random);
    return text;
  }
  static Fused<Concatenation> operation(int* fuse) { return {fuse}; }
};
template <class T>
struct Tenths : Kind<T, std::plus<>> {
  static constexpr bool deterministic = true;
  static T value(std::uint64_t random) {
    return static_cast<T>(static_cast<double>(random >> 11) * 1e-13 + 0.1);
  }
};
template <>
struct Values<Element::rounding> : Tenths<double> {
  static constexpr std::string_view name = "rounding";
};
template <>
struct Values<Element::rounding_f16> : Tenths<vnode::float16> {
  static constexpr std::string_view name = "rounding f16";
};
template <>
struct Values<Element::rounding_bf16> : Tenths<vnode::bfloat16> {
  static constexpr std::string_view name = "rounding bf16";
};
template <>
struct Values<Element::rounding_complex_f32> : Tenths<std::complex<float>> {
  static constexpr std::string_view name = "rounding complex<float>";
  static Type value(std::uint64_t random) {
    return {static_cast<float>(random >> 40) * 1e-4F + 0.1F, 0.1F - static_cast<float>(random % 1000003)};
  }
};

/// visit(Values<element>{}).
template <int at = 0, class Visit>
decltype(auto) with_values(Element element, const Visit& visit) {
  if constexpr (at + 1 < element_kinds)
    if (static_cast<int>(element) != at) return with_values<at + 1>(element, visit);
  return visit(Values<static_cast<Element>(at)>{});
}
inline std::string_view name(Element element) {
  return with_values(element, [](auto values) { return values.name; });
}
inline bool commutes(Element element) {
  return with_values(element, [](auto values) { return values.commutes; });
}
inline bool deterministic(Element element) {
  return with_values(element, [](auto values) { return values.deterministic; });
}

inline std::size_t bytes(Element element) {
  return with_values(element, [](auto values) { return sizeof(typename decltype(values)::Type); });
}

/// Returns how often docs/library.md allows a sum to be rounded; `algorithm` may be empty.
inline int roundings(vnode::Collective collective, std::string_view algorithm, int nodes) {
  const bool once = !vnode::combines(collective) || nodes <= 2 ||
                    (!algorithm.empty() && vnode::algorithm(algorithm).at_once);
  return once ? 1 : nodes - 1;
}
/// Returns whether a result is the expected one, or as near to it as so many roundings are, where one was
/// expected.
template <class V>
bool agrees(const typename V::Type& result, const typename V::Type& expected, int roundings) {
  if constexpr (V::rounds)
    if (roundings > 1) {
      const double half = std::ldexp(1.0, -std::numeric_limits<typename V::Type>::digits);  // of an ulp of 1
      const double often = roundings * half / (1 - roundings * half);
      return std::abs(double{result} - double{expected}) <= (often + half) / (1 - half) * double{expected};
    }
  return result == expected;
}

}
