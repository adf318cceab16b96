#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

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

/// The result of concatenation spells the order of the operands. What is longer than the room begins again at
/// its front.
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

}
