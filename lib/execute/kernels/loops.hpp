#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "execute/kernels/table.hpp"
#include "execute/kernels/wide.hpp"

// Everything here has internal linkage, and no function of another header is called: each file that includes
// this is compiled for another processor, and the linker must not share a function between them.
namespace vnode {
namespace {

template <class T>
struct Wrapping {  // sums and products without undefined overflow
  using type = T;
};
template <std::integral T>
requires(!std::same_as<T, bool>) struct Wrapping<T> {
  using type = std::common_type_t<unsigned, std::make_unsigned_t<T>>;
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

template <class T>
concept SixteenBits = std::same_as<T, F16> || std::same_as<T, Bf16>;

// These functions return 0 or 1, without a branch.
template <class T>
int is_true(T value) {
  return value != T{};
}
template <class T>
int less(T a, T b) {
  return a < b;
}
// Floats of 16 bits are compared as integers.
template <SixteenBits T>
int less(T a, T b) {
  const auto magnitude = [](T value) { return value.bits & 0x7fff; };
  const auto ordered = [&](T value) { return value.bits >= 0x8000 ? -magnitude(value) : magnitude(value); };
  const int numbers = int{magnitude(a) <= T::infinity} & int{magnitude(b) <= T::infinity};
  return int{ordered(a) < ordered(b)} & numbers;
}

struct Minimum {
  template <class T>
  static T apply(T a, T b) {
    return less(b, a) ? b : a;
  }
};
struct Maximum {
  template <class T>
  static T apply(T a, T b) {
    return less(a, b) ? b : a;
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
    return static_cast<T>(is_true(a) & is_true(b));
  }
  static Shorts bits(Shorts a, Shorts b) { return a & b; }
};
struct LogicalOr {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(is_true(a) | is_true(b));
  }
  static Shorts bits(Shorts a, Shorts b) { return a | b; }
};
struct LogicalXor {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(is_true(a) ^ is_true(b));
  }
  static Shorts bits(Shorts a, Shorts b) { return a ^ b; }
};
/// Holds the value and the index of a Located.
template <class T>
struct LocatedPair {
  T value;
  std::int64_t index;
};
struct MinimumLocation {
  template <class T>
  static LocatedPair<T> apply(LocatedPair<T> a, LocatedPair<T> b) {
    const int right = less(b.value, a.value) | ((less(a.value, b.value) ^ 1) & int{b.index < a.index});
    return {right != 0 ? b.value : a.value, right != 0 ? b.index : a.index};
  }
};
struct MaximumLocation {
  template <class T>
  static LocatedPair<T> apply(LocatedPair<T> a, LocatedPair<T> b) {
    const int right = less(a.value, b.value) | ((less(b.value, a.value) ^ 1) & int{b.index < a.index});
    return {right != 0 ? b.value : a.value, right != 0 ? b.index : a.index};
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

// Asks for bytes that are read soon. The next cache but one is near enough, and does not push out what is
// worked on.
void ask_for(const std::byte* begin, std::size_t bytes) {
  constexpr std::size_t line = 64;
  for (std::size_t at = 0; at < bytes; at += line) __builtin_prefetch(begin + at, 0, 2);
}

// Combines lists two by two, in blocks: what has been combined so far stays in the nearest cache, and `out`
// is written when all lists have been read. `element` is the size of one. Processors fetch ahead in a few
// lists, and begin anew in each block: so the next block of a list is asked for beside this one, which takes
// 20 % off 16 lists and 5 % off 4. The first list and the last are left to the processor: asking for these,
// too, costs 4 and 8 lists 15 % (EPYC).
void combine_in_turn(Reduction::Combine two, std::size_t element, std::byte* out,
                     const std::byte* const* lists, std::size_t lists_count, std::size_t count) {
  if (lists_count == 1) {
    std::memmove(out, lists[0], count * element);
    return;
  }
  constexpr std::size_t block_bytes = 2048;
  alignas(vector_bytes) std::byte running[block_bytes];
  const std::size_t block = block_bytes / element;
  for (std::size_t at = 0; at < count; at += block) {
    const std::size_t now = count - at < block ? count - at : block, from = at * element;
    const std::size_t to_come = count - at - now;
    const std::size_t next = lists_count > 2 ? (to_come < block ? to_come : block) * element : 0;
    const std::byte* left = lists[0] + from;
    for (std::size_t list = 1; list + 1 < lists_count; ++list) {
      ask_for(lists[list] + from + now * element, next);
      two(nullptr, running, left, lists[list] + from, now);
      left = running;
    }
    two(nullptr, out + from, left, lists[lists_count - 1] + from, now);
  }
}
template <Reduction::Combine two, std::size_t element>
void combine_lists_in_turn(std::byte* out, const std::byte* const* lists, std::size_t lists_count,
                           std::size_t count) {
  combine_in_turn(two, element, out, lists, lists_count, count);
}
// Of few elements each is combined in a register.
template <class Op, class T>
void combine_plain_lists(std::byte* out, const std::byte* const* lists, std::size_t lists_count,
                         std::size_t count) {
  constexpr std::size_t few = 4;
  if (count > few) return combine_in_turn(combine<Op, T>, sizeof(T), out, lists, lists_count, count);
  for (std::size_t at = 0; at < count * sizeof(T); at += sizeof(T)) {
    T value = *reinterpret_cast<const T*>(lists[0] + at);
    for (std::size_t list = 1; list < lists_count; ++list)
      value = Op::apply(value, *reinterpret_cast<const T*>(lists[list] + at));
    *reinterpret_cast<T*>(out + at) = value;
  }
}

// Calls vector(where, to) for each vector of a result: where(list) tells where a list has it, until it is
// asked again.
template <class Vector>
[[gnu::always_inline]] inline void each_vector(std::byte* out, std::size_t bytes, const Vector& vector) {
  std::size_t at = 0;
  for (; at + vector_bytes <= bytes; at += vector_bytes)
    vector([=](const std::byte* list) { return list + at; }, out + at);
  if (at == bytes) return;
  const std::size_t left_over = bytes - at;
  std::byte filled[vector_bytes] = {};
  vector(
      [&](const std::byte* list) {
        std::memcpy(filled, list + at, left_over);
        return filled;
      },
      filled);
  std::memcpy(out + at, filled, left_over);
}

// Sums and products of floats of 16 bits are computed from left to right in f32, and rounded once.
template <class Op, class T>
[[gnu::always_inline]] inline void combine_lists(std::byte* out, const std::byte* const* lists,
                                                 std::size_t lists_count, std::size_t count) {
  each_vector(out, count * sizeof(T), [=](const auto& where, std::byte* to) {
    Wide sum = T::widened(where(lists[0]));
    for (std::size_t list = 1; list < lists_count; ++list) {
      const Wide next = T::widened(where(lists[list]));
      sum = {Op::apply(sum.first, next.first), Op::apply(sum.second, next.second)};
    }
    T::narrow(sum, to);
  });
}
template <class Op, class T>
void combine_wide_lists(std::byte* out, const std::byte* const* lists, std::size_t lists_count,
                        std::size_t count) {
  combine_lists<Op, T>(out, lists, lists_count, count);
}
template <class Op, class T>
void combine_wide(void*, void* out, const void* left, const void* right, std::size_t count) {
  const std::byte* const both[] = {static_cast<const std::byte*>(left), static_cast<const std::byte*>(right)};
  combine_lists<Op, T>(static_cast<std::byte*>(out), both, 2, count);
}

// Other operators on floats of 16 bits round nothing: they work on the bits.
template <class Op, class T>
void combine_bits(void*, void* out, const void* left, const void* right, std::size_t count) {
  each_vector(static_cast<std::byte*>(out), count * sizeof(T), [=](const auto& where, std::byte* to) {
    const auto a = load<Shorts>(where(static_cast<const std::byte*>(left)));
    const auto b = load<Shorts>(where(static_cast<const std::byte*>(right)));
    Shorts result;
    if constexpr (std::same_as<Op, Minimum>)
      result = chosen(less_bits<T>(b, a), b, a);
    else if constexpr (std::same_as<Op, Maximum>)
      result = chosen(less_bits<T>(a, b), b, a);
    else
      result = Op::bits((a & 0x7fff) != 0, (b & 0x7fff) != 0) & T::one;
    std::memcpy(to, &result, sizeof result);
  });
}

/// Describes std::complex<Real>: it is two numbers of type Part, or the language's own complex Number.
template <class Real>
struct ComplexOf;
template <>
struct ComplexOf<float> {
  using Part = float;
  __extension__ typedef _Complex float Number;
};
template <>
struct ComplexOf<double> {
  using Part = double;
  __extension__ typedef _Complex double Number;
};

template <class Real>
void add_complex(void* state, void* out, const void* left, const void* right, std::size_t count) {
  combine<Plus, Real>(state, out, left, right, 2 * count);
}
// Where both parts of a product are NaN, one may have to be infinite: the language's own product knows. Each
// part has a loop of its own: of both together gcc makes an instruction that rounds their products otherwise.
template <class Real>
void multiply_complex(void*, void* out, const void* left, const void* right, std::size_t count) {
  constexpr std::size_t step = 64;
  Real re[step], im[step];
  for (std::size_t at = 0; at < count; at += step) {
    const std::size_t now = count - at < step ? count - at : step;
    const Real* const a = static_cast<const Real*>(left) + 2 * at;
    const Real* const b = static_cast<const Real*>(right) + 2 * at;
    Real* const to = static_cast<Real*>(out) + 2 * at;
    for (std::size_t i = 0; i < now; ++i) re[i] = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
    for (std::size_t i = 0; i < now; ++i) im[i] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
    int undefined = 0;
    for (std::size_t i = 0; i < now; ++i) undefined |= int{re[i] != re[i]} & int{im[i] != im[i]};
    for (std::size_t i = 0; undefined != 0 && i < now; ++i) {
      typename ComplexOf<Real>::Number x, y;
      __real__ x = a[2 * i];
      __imag__ x = a[2 * i + 1];
      __real__ y = b[2 * i];
      __imag__ y = b[2 * i + 1];
      x *= y;
      re[i] = __real__ x;
      im[i] = __imag__ x;
    }
    for (std::size_t i = 0; i < now; ++i) {
      to[2 * i] = re[i];
      to[2 * i + 1] = im[i];
    }
  }
}

template <class Op, class... Those>
concept OneOf = (std::same_as<Op, Those> || ...);

template <class Op, class T>
constexpr Reduction::Combine kernel() {
  constexpr bool bitwise = OneOf<Op, BitAnd, BitOr, BitXor>;
  if constexpr (OneOf<T, ComplexOf<float>, ComplexOf<double>>) {
    if constexpr (std::same_as<Op, Plus>) return add_complex<typename T::Part>;
    if constexpr (std::same_as<Op, Multiplies>) return multiply_complex<typename T::Part>;
    return nullptr;
  } else if constexpr (bitwise && !std::integral<T>) {
    return nullptr;
  } else if constexpr (OneOf<Op, MinimumLocation, MaximumLocation>) {
    return combine<Op, LocatedPair<T>>;
  } else if constexpr (SixteenBits<T>) {
    if constexpr (OneOf<Op, Plus, Multiplies>)
      return combine_wide<Op, T>;
    else
      return combine_bits<Op, T>;
  } else {
    return combine<Op, T>;
  }
}
template <class Op, class T>
constexpr Reduction::CombineAll kernel_for_all() {
  constexpr Reduction::Combine two = kernel<Op, T>();
  if constexpr (two == nullptr)
    return nullptr;
  else if constexpr (SixteenBits<T> && OneOf<Op, Plus, Multiplies>)
    return combine_wide_lists<Op, T>;
  else if constexpr (OneOf<Op, MinimumLocation, MaximumLocation>)
    return combine_lists_in_turn<two, sizeof(LocatedPair<T>)>;
  else if constexpr (OneOf<T, ComplexOf<float>, ComplexOf<double>>)
    return combine_lists_in_turn<two, sizeof(typename T::Number)>;
  else if constexpr (SixteenBits<T>)
    return combine_lists_in_turn<two, sizeof(T)>;
  else
    return combine_plain_lists<Op, T>;
}

/// Returns one operator's kernels in the order of Arithmetic.
template <class Op>
constexpr OperatorKernels on_all() {
  return []<class... Types>(std::type_identity<Types>...) {
    static_assert(sizeof...(Types) == arithmetics);
    return OperatorKernels{{kernel<Op, Types>()...}, {kernel_for_all<Op, Types>()...}};
  }(std::type_identity<std::int8_t>{}, std::type_identity<std::uint8_t>{}, std::type_identity<std::int16_t>{},
         std::type_identity<std::uint16_t>{}, std::type_identity<std::int32_t>{},
         std::type_identity<std::uint32_t>{}, std::type_identity<std::int64_t>{},
         std::type_identity<std::uint64_t>{}, std::type_identity<float>{}, std::type_identity<double>{},
         std::type_identity<F16>{}, std::type_identity<Bf16>{}, std::type_identity<long double>{},
         std::type_identity<ComplexOf<float>>{}, std::type_identity<ComplexOf<double>>{});
}

/// Returns the kernels of all operators in the order of StandardOperator.
constexpr KernelTable kernels() {
  return {on_all<Plus>(),      on_all<Multiplies>(), on_all<Minimum>(),         on_all<Maximum>(),
          on_all<BitAnd>(),    on_all<BitOr>(),      on_all<BitXor>(),          on_all<LogicalAnd>(),
          on_all<LogicalOr>(), on_all<LogicalXor>(), on_all<MinimumLocation>(), on_all<MaximumLocation>()};
}

}
}
