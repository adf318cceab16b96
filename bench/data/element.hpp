#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <functional>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <vnode/operator.hpp>

#include "command_line/datatypes.hpp"

namespace vnode::bench {

/// Names an operator as the command line calls it.
struct NamedOperator {
  std::string_view name;
  StandardOperator value;
};
inline constexpr std::array<NamedOperator, 4> operators{{{"sum", StandardOperator::plus},
                                                         {"prod", StandardOperator::multiplies},
                                                         {"min", StandardOperator::minimum},
                                                         {"max", StandardOperator::maximum}}};
/// Returns the name of one of the four operators.
inline std::string_view name_of(StandardOperator op) {
  return std::ranges::find(operators, op, &NamedOperator::value)->name;
}

/// Lists the element types in the order of Arithmetic.
using ElementTypes = std::tuple<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                                std::uint32_t, std::int64_t, std::uint64_t, float, double, float16, bfloat16,
                                long double, std::complex<float>, std::complex<double>>;
static_assert(std::tuple_size_v<ElementTypes> == datatypes.values.size());

/// Calls visit(std::type_identity<T>{}) for the type T that `datatype` stands for, and returns its result.
template <std::size_t at = 0, class Visit>
decltype(auto) with_type(Arithmetic datatype, Visit&& visit) {
  using T = std::tuple_element_t<at, ElementTypes>;
  static_assert(arithmetic<T>() == static_cast<Arithmetic>(at));
  if constexpr (at + 1 < std::tuple_size_v<ElementTypes>)
    if (datatype != static_cast<Arithmetic>(at)) return with_type<at + 1>(datatype, visit);
  return visit(std::type_identity<T>{});
}

/// Tells whether the type has the operator: complex numbers have no minimum and no maximum.
inline bool has_operator(Arithmetic datatype, StandardOperator op) {
  return standard_kernels(op, datatype).combine != nullptr;
}

/// Calls visit(op) for the operator that `op` stands for, of sum, prod, min and max, and returns its result;
/// for one that T does not have, the operator is sum.
template <class T, class Visit>
decltype(auto) with_operator(StandardOperator op, Visit&& visit) {
  if (op == StandardOperator::multiplies) return visit(std::multiplies<>{});
  if constexpr (!Complex<T>) {
    if (op == StandardOperator::minimum) return visit(minimum{});
    if (op == StandardOperator::maximum) return visit(maximum{});
  }
  return visit(std::plus<>{});
}

/// Tells whether the type is complex, f16 or bf16: the loops that compilers make for these are no limit for
/// the library's kernels.
constexpr bool has_slow_loops(Arithmetic datatype) {
  return datatype == Arithmetic::f16 || datatype == Arithmetic::bf16 || datatype == Arithmetic::complex_f32 ||
         datatype == Arithmetic::complex_f64;
}

/// Tells whether MPI has the type, and so can combine it: it does not have f16 and bf16.
constexpr bool is_known_to_mpi(Arithmetic datatype) {
  return datatype != Arithmetic::f16 && datatype != Arithmetic::bf16;
}
/// Returns the type as which MPI moves such elements: the type itself, or one of the same size.
constexpr Arithmetic moved_by_mpi(Arithmetic datatype) {
  return is_known_to_mpi(datatype) ? datatype : Arithmetic::u16;
}

/// Returns the size of one element in bytes.
inline std::size_t size_of(Arithmetic datatype) {
  return with_type(datatype, []<class T>(std::type_identity<T>) { return sizeof(T); });
}

/// Calls visit(std::type_identity<T>{}) for a type T of as many bytes as `datatype` has, and returns its
/// result: there are fewer of them, and what is only moved needs no more.
template <class Visit>
decltype(auto) with_size_of(Arithmetic datatype, Visit&& visit) {
  switch (size_of(datatype)) {
    case 1:
      return visit(std::type_identity<std::uint8_t>{});
    case 2:
      return visit(std::type_identity<std::uint16_t>{});
    case 4:
      return visit(std::type_identity<std::uint32_t>{});
    case 8:
      return visit(std::type_identity<std::uint64_t>{});
    default:
      return visit(std::type_identity<std::complex<double>>{});
  }
}

}  // namespace vnode::bench
