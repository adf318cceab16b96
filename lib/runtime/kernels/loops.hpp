#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/kernels/table.hpp"

// Everything here has internal linkage, and no function of another header is called: each file that includes
// this is compiled for another processor, and the linker must not share a function between them.
namespace vnode {
namespace {

template <class T>
struct Wrapping {  // sums and products without undefined overflow
  using type = T;
};
template <>
struct Wrapping<std::int8_t> {
  using type = unsigned;
};
template <>
struct Wrapping<std::uint8_t> {
  using type = unsigned;
};
template <>
struct Wrapping<std::int16_t> {
  using type = unsigned;
};
template <>
struct Wrapping<std::uint16_t> {
  using type = unsigned;
};
template <>
struct Wrapping<std::int32_t> {
  using type = std::uint32_t;
};
template <>
struct Wrapping<std::int64_t> {
  using type = std::uint64_t;
};
template <class T>
using wrapping = typename Wrapping<T>::type;

struct Plus {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<wrapping<T>>(a) + static_cast<wrapping<T>>(b));
  }
};
struct Multiplies {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<wrapping<T>>(a) * static_cast<wrapping<T>>(b));
  }
};
struct Minimum {
  template <class T>
  static T apply(T a, T b) {
    return b < a ? b : a;
  }
};
struct Maximum {
  template <class T>
  static T apply(T a, T b) {
    return a < b ? b : a;
  }
};
struct BitAnd {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct BitOr {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct BitXor {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct LogicalAnd {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>((a != T{}) & (b != T{}));
  }
};
struct LogicalOr {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>((a != T{}) | (b != T{}));
  }
};

// `out` may be `left` or `right`, element by element, so the pointers are not __restrict; the compiler's
// run-time check for overlap takes the vector path in all three cases of the contract once each case is
// spelled out.
template <class Op, class T>
void combine(void*, void* out, const void* left, const void* right, std::size_t count) {
  auto* to = static_cast<T*>(out);
  const auto* a = static_cast<const T*>(left);
  const auto* b = static_cast<const T*>(right);
  if (to == a) {
    const auto* __restrict other = b;
    T* __restrict own = to;
    for (std::size_t i = 0; i < count; ++i) own[i] = Op::apply(own[i], other[i]);
  } else if (to == b) {
    const auto* __restrict other = a;
    T* __restrict own = to;
    for (std::size_t i = 0; i < count; ++i) own[i] = Op::apply(other[i], own[i]);
  } else {
    T* __restrict apart = to;
    for (std::size_t i = 0; i < count; ++i) apart[i] = Op::apply(a[i], b[i]);
  }
}

template <class Op>
constexpr std::array<Reduction::Combine, arithmetics> on_all() {
  return {combine<Op, std::int8_t>,   combine<Op, std::uint8_t>,  combine<Op, std::int16_t>,
          combine<Op, std::uint16_t>, combine<Op, std::int32_t>,  combine<Op, std::uint32_t>,
          combine<Op, std::int64_t>,  combine<Op, std::uint64_t>, combine<Op, float>,
          combine<Op, double>};
}
template <class Op>
constexpr std::array<Reduction::Combine, arithmetics> on_integers() {
  return {combine<Op, std::int8_t>,
          combine<Op, std::uint8_t>,
          combine<Op, std::int16_t>,
          combine<Op, std::uint16_t>,
          combine<Op, std::int32_t>,
          combine<Op, std::uint32_t>,
          combine<Op, std::int64_t>,
          combine<Op, std::uint64_t>,
          nullptr,
          nullptr};
}

constexpr KernelTable kernels() {
  return {on_all<Plus>(),        on_all<Multiplies>(),  on_all<Minimum>(),
          on_all<Maximum>(),     on_integers<BitAnd>(), on_integers<BitOr>(),
          on_integers<BitXor>(), on_all<LogicalAnd>(),  on_all<LogicalOr>()};
}

}
}
