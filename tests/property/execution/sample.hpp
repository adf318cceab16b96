#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <vnode/vnode.hpp>

#include "elements.hpp"

namespace vnode_test {

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
  using Operator = PairSum;
  static Pair value(int rank, std::size_t i) {
    return {rank * 3 + static_cast<int>(i % 11),
            static_cast<std::uint16_t>(2 * (static_cast<std::size_t>(rank) + i) + 1)};
  }
  static vnode::commutative<Operator> op() { return {Operator{}}; }
};

template <>
struct Sample<Matrix> {
  using Operator = MatrixProduct;
  static Matrix value(int rank, std::size_t i) {
    const auto n = static_cast<std::uint32_t>(rank) * 5 + static_cast<std::uint32_t>(i);
    return {n % 7 + 1, n % 3, n % 5, n % 2 + 1};
  }
  static Operator op() { return {}; }
};

template <>
struct Sample<Text> {
  using Operator = Concatenation;
  static Text value(int rank, std::size_t i) {
    Text text{1, {}};
    text.letters[0] = static_cast<std::uint8_t>(rank * 3 + static_cast<int>(i % 50));
    return text;
  }
  static Operator op() { return {}; }
};

}
