#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include <vnode/vnode.hpp>

#include "elements.hpp"

namespace vnode_test {

/// What a program's nodes throw.
struct Thrown : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The mixing function of splitmix64.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// What calls are made with: types, their operators, and values for them.
enum class Element : std::uint8_t {
  i8,        ///< wraps around
  f32,       ///< small whole numbers
  u64,       ///< the greatest
  pair,      ///< a commutative operator of the user's, which may throw
  matrix,    ///< 2 x 2 modulo 2^32: not commutative; may throw
  text,      ///< its result spells the order of its operands; may throw
  rounding,  ///< doubles whose sum depends on the expression: for deterministic calls
};
inline constexpr int element_kinds = 7;

inline const char* name(Element element) {
  constexpr std::array names{"i8", "f32", "u64", "pair", "matrix", "text", "rounding"};
  return names[static_cast<std::size_t>(element)];
}
inline bool commutes(Element element) { return element != Element::matrix && element != Element::text; }

/// An operator that fails at its n-th application on the node that has lit the fuse.
template <class Operator>
struct Fused {
  int* fuse;
  template <class T>
  T operator()(const T& a, const T& b) const {
    if (fuse != nullptr && *fuse > 0 && --*fuse == 0) throw Thrown("in the operator");
    return Operator()(a, b);
  }
};

/// Type, operator and values of an element: `value(random)` for a random word, `operation(fuse)`.
template <Element>
struct Values;

template <class T>
struct SmallNumbers {
  using Type = T;
  static T value(std::uint64_t random) { return static_cast<T>(random % 200); }
};
template <>
struct Values<Element::i8> : SmallNumbers<std::int8_t> {
  static std::plus<> operation(int*) { return {}; }
};
template <>
struct Values<Element::f32> : SmallNumbers<float> {
  static std::plus<> operation(int*) { return {}; }
};
template <>
struct Values<Element::u64> {
  using Type = std::uint64_t;
  static Type value(std::uint64_t random) { return random; }
  static vnode::maximum operation(int*) { return {}; }
};
template <>
struct Values<Element::rounding> {
  using Type = double;
  static Type value(std::uint64_t random) { return static_cast<double>(random >> 11) * 1e-13 + 0.1; }
  static std::plus<> operation(int*) { return {}; }
};
template <>
struct Values<Element::pair> {
  using Type = Pair;
  static Pair value(std::uint64_t random) {
    return {static_cast<std::int32_t>(random % 1000), static_cast<std::uint16_t>(random >> 20 | 1)};
  }
  static vnode::commutative<Fused<PairSum>> operation(int* fuse) { return {Fused<PairSum>{fuse}}; }
};
template <>
struct Values<Element::matrix> {
  using Type = Matrix;
  static Matrix value(std::uint64_t random) {
    const auto low = static_cast<std::uint32_t>(random), high = static_cast<std::uint32_t>(random >> 32);
    return {low | 1, high, low >> 7, high | 1};
  }
  static Fused<MatrixProduct> operation(int* fuse) { return {fuse}; }
};
template <>
struct Values<Element::text> {
  using Type = Text;
  static Text value(std::uint64_t random) {
    Text text{1, {}};
    text.letters[0] = static_cast<std::uint8_t>(random);
    return text;
  }
  static Fused<Concatenation> operation(int* fuse) { return {fuse}; }
};

/// visit(Values<element>{}).
template <class Visit>
decltype(auto) with_values(Element element, Visit&& visit) {
  switch (element) {
    case Element::i8:
      return visit(Values<Element::i8>{});
    case Element::f32:
      return visit(Values<Element::f32>{});
    case Element::u64:
      return visit(Values<Element::u64>{});
    case Element::pair:
      return visit(Values<Element::pair>{});
    case Element::matrix:
      return visit(Values<Element::matrix>{});
    case Element::text:
      return visit(Values<Element::text>{});
    case Element::rounding:
      break;
  }
  return visit(Values<Element::rounding>{});
}

}
