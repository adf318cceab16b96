#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include <vnode/element.hpp>
#include <vnode/float16.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Returns the lesser of two values, the left one if they are equal.
struct minimum {
  /// Returns min(left, right).
  template <class T>
  constexpr T operator()(const T& left, const T& right) const {
    return right < left ? right : left;
  }
};

/// Returns the greater of two values, the left one if they are equal.
struct maximum {
  /// Returns max(left, right).
  template <class T>
  constexpr T operator()(const T& left, const T& right) const {
    return left < right ? right : left;
  }
};

/// Returns whether exactly one of two values is true, that is, not zero.
struct logical_xor {
  /// Returns bool(left) != bool(right).
  template <class T>
  constexpr bool operator()(const T& left, const T& right) const {
    return static_cast<bool>(left) != static_cast<bool>(right);
  }
};

/// Declares an operator of your own commutative, so that more algorithms may be used.
///     me.reduce(x, vnode::commutative{[](Complex a, Complex b) { return a * b; }});
template <class Operator>
struct commutative {
  Operator op;  ///< called for every pair of elements
  /// Returns op(left, right).
  template <class T>
  constexpr auto operator()(const T& left, const T& right) {
    return op(left, right);
  }
};
template <class Operator>
commutative(Operator) -> commutative<Operator>;

/// Describes a value and where it was found, for minimum_location and maximum_location. The caller defines
/// the index: a row of a matrix, or a rank.
///
///     std::array best{vnode::Located{std::abs(x[i]), i}};
///     me.all_reduce(best, vnode::maximum_location{});  // best[0].index is the same on all nodes
template <class T>
struct Located {
  T value;                 ///< the value that is compared
  std::int64_t index = 0;  ///< where it was found
  /// Compares value and index.
  friend bool operator==(const Located&, const Located&) = default;
};
template <class T>
Located(T, std::int64_t) -> Located<T>;

/// Returns the lesser of two values with its index; of equal values the one with the lower index. Values that
/// are not ordered, such as NaN, count as equal.
struct minimum_location {
  /// Returns min(left, right), by value and then by index.
  template <class T>
  constexpr Located<T> operator()(const Located<T>& left, const Located<T>& right) const {
    // A branch would be mispredicted where data are random, and cost four times as much as this index.
    const Located<T> both[] = {left, right};
    const bool less = right.value < left.value, greater = left.value < right.value;
    return both[less | (!greater & (right.index < left.index))];
  }
};

/// Returns the greater of two values with its index; of equal values the one with the lower index. Values
/// that are not ordered, such as NaN, count as equal.
struct maximum_location {
  /// Returns max(left, right), by value and then by index.
  template <class T>
  constexpr Located<T> operator()(const Located<T>& left, const Located<T>& right) const {
    const Located<T> both[] = {left, right};
    const bool less = right.value < left.value, greater = left.value < right.value;
    return both[greater | (!less & (right.index < left.index))];
  }
};

/// Describes an operator on elements of one type, ready to combine on this processor.
struct Reduction {
  /// Computes out[i] = left[i] op right[i] for `count` elements. `out` is `left`, is `right`, or overlaps
  /// neither.
  using Combine = void (*)(void* state, void* out, const void* left, const void* right, std::size_t count);
  /// Computes out[i] = lists[0][i] op lists[1][i] op ... op lists[lists_count - 1][i] for `count` elements,
  /// from left to right: sums and products of float16 and bfloat16 in a wider type, rounded once. `out` is
  /// one of the lists, or overlaps none.
  using CombineAll = void (*)(std::byte* out, const std::byte* const* lists, std::size_t lists_count,
                              std::size_t count);

  Combine combine = nullptr;  ///< combines elements; null without an operator
  void* state = nullptr;      ///< the first argument of `combine`: the operator
  /// Says whether several threads may call `combine` at the same time, on disjoint elements: it is a standard
  /// operator's kernel, which has no state.
  bool parallel = false;
  /// Combines many operands at once, as standard operators' kernels do; null: operands are combined two by
  /// two.
  CombineAll combine_all = nullptr;
};

/// Describes the type of an operator, and of its elements, to the runtime.
struct OperatorType {
  std::string_view name;     ///< the type's type_name
  std::uint64_t hash = 0;    ///< hash_of(name)
  bool commutative = false;  ///< whether operands may change sides
  bool rounds_once = false;  ///< whether Reduction::combine_all rounds once what `combine` rounds every time
  /// Returns the operator that lies at `state` as a Reduction. It must outlive the result.
  Reduction (*reduction)(void* state) = nullptr;
  std::size_t bytes = 0;      ///< the size of the operator
  std::size_t alignment = 1;  ///< its alignment
  /// Moves the operator at `from` to `to`, memory of that size and alignment.
  void (*move)(void* to, void* from) = nullptr;
  /// Ends the operator.
  void (*destroy)(void* state) noexcept = nullptr;
};

/// Names the operators that come with kernels, which the compiler has vectorised where it can.
enum class StandardOperator : std::uint8_t {
  plus,              ///< std::plus
  multiplies,        ///< std::multiplies
  minimum,           ///< vnode::minimum
  maximum,           ///< vnode::maximum
  bit_and,           ///< std::bit_and
  bit_or,            ///< std::bit_or
  bit_xor,           ///< std::bit_xor
  logical_and,       ///< std::logical_and
  logical_or,        ///< std::logical_or
  logical_xor,       ///< vnode::logical_xor
  minimum_location,  ///< vnode::minimum_location, on vnode::Located
  maximum_location   ///< vnode::maximum_location, on vnode::Located
};

/// Names the types with kernels by kind and size, however they are spelled.
enum class Arithmetic : std::uint8_t {
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  i64,
  u64,
  f32,
  f64,
  f16,          ///< vnode::float16
  bf16,         ///< vnode::bfloat16
  long_double,  ///< long double
  complex_f32,  ///< std::complex<float>
  complex_f64   ///< std::complex<double>
};

/// Returns the kernels for this processor, or none for an operation that the type does not have: bitwise on
/// floating point, all but sums and products of complex numbers. A location's are for Located values of the
/// type. Integer sums and products wrap around.
Reduction standard_kernels(StandardOperator op, Arithmetic type);

/// Tells whether T is std::complex<Real>: by its name, as <complex> is long.
template <class T, class Real>
inline constexpr bool is_std_complex = false;
template <template <class> class Template, class Real>
inline constexpr bool is_std_complex<Template<Real>, Real> =
    type_name<Template<Real>>().starts_with("std::complex<");

/// Tells whether T is one of the types with kernels; bool and classes other than those named by Arithmetic
/// are not.
template <class T>
inline constexpr bool is_arithmetic =
    (std::integral<T> && !std::same_as<T, bool> && sizeof(T) <= 8) || std::same_as<T, float> ||
    std::same_as<T, double> || std::same_as<T, long double> || is_sixteen_bit_float<T> ||
    is_std_complex<T, float> || is_std_complex<T, double>;

/// Returns the Arithmetic that T is.
template <class T>
requires is_arithmetic<T>
constexpr Arithmetic arithmetic() {
  if constexpr (std::same_as<T, float>)
    return Arithmetic::f32;
  else if constexpr (std::same_as<T, double>)
    return Arithmetic::f64;
  else if constexpr (std::same_as<T, long double>)
    return Arithmetic::long_double;
  else if constexpr (std::same_as<T, float16>)
    return Arithmetic::f16;
  else if constexpr (std::same_as<T, bfloat16>)
    return Arithmetic::bf16;
  else if constexpr (is_std_complex<T, float>)
    return Arithmetic::complex_f32;
  else if constexpr (is_std_complex<T, double>)
    return Arithmetic::complex_f64;
  else {
    static_assert(std::integral<T>);
    constexpr int size = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 2 : sizeof(T) == 4 ? 4 : 6;
    return static_cast<Arithmetic>(size + (std::unsigned_integral<T> ? 1 : 0));
  }
}

/// Describes the result of asking whether an operator type is a standard operator.
struct StandardMatch {
  bool found = false;                            ///< whether it is one
  StandardOperator op = StandardOperator::plus;  ///< the operator, if found
};

/// Tells whether T is a Located of something.
template <class T>
inline constexpr bool is_located = false;
template <class T>
inline constexpr bool is_located<Located<T>> = true;

/// Returns the StandardOperator that `Operator` is on T, if it is one.
template <class Operator, class T>
constexpr StandardMatch standard_match() {
  if constexpr (is_located<T>) {
    if (std::same_as<Operator, minimum_location>) return {true, StandardOperator::minimum_location};
    return {std::same_as<Operator, maximum_location>, StandardOperator::maximum_location};
  }
  const auto any_of = []<class... Candidates>(std::type_identity<Candidates>...) {
    return (std::same_as<Operator, Candidates> || ...);
  };
  using Op = StandardOperator;
  if (any_of(std::type_identity<std::plus<>>{}, std::type_identity<std::plus<T>>{})) return {true, Op::plus};
  if (any_of(std::type_identity<std::multiplies<>>{}, std::type_identity<std::multiplies<T>>{}))
    return {true, Op::multiplies};
  if (any_of(std::type_identity<minimum>{})) return {true, Op::minimum};
  if (any_of(std::type_identity<maximum>{})) return {true, Op::maximum};
  if (any_of(std::type_identity<std::bit_and<>>{}, std::type_identity<std::bit_and<T>>{}))
    return {true, Op::bit_and};
  if (any_of(std::type_identity<std::bit_or<>>{}, std::type_identity<std::bit_or<T>>{}))
    return {true, Op::bit_or};
  if (any_of(std::type_identity<std::bit_xor<>>{}, std::type_identity<std::bit_xor<T>>{}))
    return {true, Op::bit_xor};
  if (any_of(std::type_identity<std::logical_and<>>{}, std::type_identity<std::logical_and<T>>{}))
    return {true, Op::logical_and};
  if (any_of(std::type_identity<std::logical_or<>>{}, std::type_identity<std::logical_or<T>>{}))
    return {true, Op::logical_or};
  if (any_of(std::type_identity<logical_xor>{})) return {true, Op::logical_xor};
  return {};
}

/// Is std::complex, and types that look like it: a real and an imaginary part of one floating-point type.
template <class T>
concept Complex = requires(const T& z) {
  requires std::floating_point<typename T::value_type>;
  { z.real() } -> std::same_as<typename T::value_type>;
  { z.imag() } -> std::same_as<typename T::value_type>;
  requires sizeof(T) == 2 * sizeof(typename T::value_type);
};

/// Tells whether a standard operator may change sides on T.
template <class T>
inline constexpr bool commutes = std::is_arithmetic_v<T> || is_arithmetic<T> || Complex<T> || is_located<T>;

/// Tells whether a op b = b op a. True for the standard operators on arithmetic types, bool and the floats of
/// 16 bits among them, for sums and products of complex numbers, for locations, and for what `commutative`
/// wraps. Specialise it for operator types of your own.
template <class Operator, class T>
inline constexpr bool is_commutative = commutes<T>&& standard_match<Operator, T>().found;
template <class Operator, class T>
inline constexpr bool is_commutative<commutative<Operator>, T> = true;

/// Returns the kernels for an operator type on T, or none if there are none. bool uses the kernels of its
/// bytes, 0 and 1: a sum is true if one of its terms is, a product if all are.
template <class T, class Operator>
Reduction kernels_of() {
  constexpr StandardMatch match = standard_match<Operator, T>();
  if constexpr (!match.found) return {};
  if constexpr (is_arithmetic<T>) return standard_kernels(match.op, arithmetic<T>());
  if constexpr (is_located<T>)
    if constexpr (is_arithmetic<decltype(T::value)>)
      return standard_kernels(match.op, arithmetic<decltype(T::value)>());
  if constexpr (std::same_as<T, bool> && sizeof(bool) == 1) {
    constexpr bool sum = match.op == StandardOperator::plus;
    constexpr bool product = match.op == StandardOperator::multiplies;
    return standard_kernels(sum       ? StandardOperator::logical_or
                            : product ? StandardOperator::logical_and
                                      : match.op,
                            Arithmetic::u8);
  }
  return {};
}

/// Tells whether To can represent every value of the arithmetic type From, so that braces convert it.
template <class From, class To>
concept Holds = !(std::is_arithmetic_v<From> || is_sixteen_bit_float<From>) || !std::is_arithmetic_v<To> ||
                requires(std::conditional_t<is_sixteen_bit_float<From>, float, From> from) {
  To{from};
};

/// Returns whether a function of these types would change elements of type T before it combines them, as
/// std::plus<int> truncates doubles, or would truncate what it returns.
template <class T, class Returned, class Left, class Right>
consteval bool changes_elements() {
  return !Holds<T, std::remove_cvref_t<Left>> || !Holds<T, std::remove_cvref_t<Right>> ||
         (std::integral<T> && std::floating_point<std::remove_cvref_t<Returned>>);
}
/// Yields changes_elements() for a function or a member function, as a type.
template <class T, class Returned, class Left, class Right>
std::bool_constant<changes_elements<T, Returned, Left, Right>()> changes(Returned (*)(Left, Right));
template <class T, class Class, class Returned, class Left, class Right>
std::bool_constant<changes_elements<T, Returned, Left, Right>()> changes(Returned (Class::*)(Left, Right));
template <class T, class Class, class Returned, class Left, class Right>
std::bool_constant<changes_elements<T, Returned, Left, Right>()> changes(Returned (Class::*)(Left, Right)
                                                                             const);

/// Tells whether `Operator` is known to change elements of type T. Only operators with fixed argument types
/// can be known.
template <class Operator, class T>
inline constexpr bool narrows = false;
template <class Operator, class T>
requires requires { changes<T>(&Operator::operator()); }
inline constexpr bool narrows<Operator, T> = decltype(changes<T>(&Operator::operator()))::value;
template <class Returned, class Left, class Right, class T>
inline constexpr bool narrows<Returned (*)(Left, Right), T> = changes_elements<T, Returned, Left, Right>();
template <class Operator, class T>
inline constexpr bool narrows<commutative<Operator>, T> = narrows<Operator, T>;

/// Tells whether `Operator` returns for two elements something that converts to T.
template <class Operator, class T>
concept Combines = requires(Operator& op, const T& element) {
  static_cast<T>(op(element, element));
};

/// Tells whether many operands are combined in a wider type and rounded once.
template <class T, class Operator>
inline constexpr bool rounds_once = is_sixteen_bit_float<T>&& standard_match<Operator, T>().found &&
                                    (standard_match<Operator, T>().op == StandardOperator::plus ||
                                     standard_match<Operator, T>().op == StandardOperator::multiplies);

/// Returns an operator on T as a Reduction. `op` must outlive the result.
template <class T, class Operator>
[[gnu::visibility("hidden")]] Reduction reduction_of(Operator& op) {
  Reduction made = kernels_of<T, Operator>();
  made.state = &op;
  if (!made.parallel)
    made.combine = [](void* state, void* out, const void* left, const void* right, std::size_t count) {
      auto& combine = *static_cast<Operator*>(state);
      auto* to = static_cast<T*>(out);
      const auto* a = static_cast<const T*>(left);
      const auto* b = static_cast<const T*>(right);
      for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<T>(combine(a[i], b[i]));
    };
  return made;
}

/// Is the OperatorType of an operator on T. Every binary that uses it has its own.
template <class T, class Operator>
[[gnu::visibility("hidden")]] inline constexpr OperatorType operator_type{
    type_name<Operator>(),
    hash_of(type_name<Operator>()),
    is_commutative<Operator, T>,
    vnode::rounds_once<T, Operator>,
    [](void* state) { return reduction_of<T>(*static_cast<Operator*>(state)); },
    sizeof(Operator),
    alignof(Operator),
    [](void* to, void* from) {
      std::construct_at(static_cast<Operator*>(to), std::move(*static_cast<Operator*>(from)));
    },
    [](void* state) noexcept { std::destroy_at(static_cast<Operator*>(state)); }};

}  // namespace vnode
#pragma GCC visibility pop
