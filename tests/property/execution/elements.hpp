#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include <vnode/vnode.hpp>

namespace vnode_test {

/// Two numbers that a user adds up in her own way.
struct Pair {
  std::int32_t sum;
  std::uint16_t product;
  friend bool operator==(const Pair&, const Pair&) = default;
};

/// 2 x 2 matrices modulo 2^32: associative, not commutative.
struct Matrix {
  std::uint32_t a, b, c, d;
  friend bool operator==(const Matrix&, const Matrix&) = default;
};

/// Concatenation in fixed slots: the result spells the order in which operands were combined.
struct Text {
  std::uint8_t length;
  std::array<std::uint8_t, 70> letters;
  friend bool operator==(const Text&, const Text&) = default;
};

/// A value of type T that depends on who brings it and where, small enough for exact arithmetic in any order.
template <class T>
struct Sample {
  using Operator = std::plus<>;
  static T value(int rank, std::size_t i) {
    return static_cast<T>((static_cast<std::size_t>(rank) * 7 + i * 3) % 5 - std::size_t{1} +
                          (i == 0 ? 1u : 0u));
  }
  static Operator op() { return {}; }
};

template <>
struct Sample<Pair> {
  struct Operator {
    Pair operator()(const Pair& a, const Pair& b) const {
      return {a.sum + b.sum, static_cast<std::uint16_t>(std::uint32_t{a.product} * b.product)};
    }
  };
  static Pair value(int rank, std::size_t i) {
    return {rank * 3 + static_cast<int>(i % 11),
            static_cast<std::uint16_t>(2 * (static_cast<std::size_t>(rank) + i) + 1)};
  }
  static vnode::commutative<Operator> op() { return {Operator{}}; }
};

template <>
struct Sample<Matrix> {
  struct Operator {
    Matrix operator()(const Matrix& x, const Matrix& y) const {
      return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
    }
  };
  static Matrix value(int rank, std::size_t i) {
    const auto n = static_cast<std::uint32_t>(rank) * 5 + static_cast<std::uint32_t>(i);
    return {n % 7 + 1, n % 3, n % 5, n % 2 + 1};
  }
  static Operator op() { return {}; }
};

template <>
struct Sample<Text> {
  struct Operator {
    Text operator()(const Text& x, const Text& y) const {
      Text joined = x;
      std::memcpy(joined.letters.data() + x.length, y.letters.data(), y.length);
      joined.length = static_cast<std::uint8_t>(x.length + y.length);
      return joined;
    }
  };
  static Text value(int rank, std::size_t i) {
    Text text{1, {}};
    text.letters[0] = static_cast<std::uint8_t>(rank * 3 + static_cast<int>(i % 50));
    return text;
  }
  static Operator op() { return {}; }
};

}
