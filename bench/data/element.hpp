#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <type_traits>

#include <vnode/operator.hpp>

namespace vnode::bench {

/// A type of element or an operator, and what it is called on the command line.
template <class T>
struct Named {
  std::string_view name;
  T value;
};

inline constexpr std::array<Named<Arithmetic>, 12> datatypes{{{"f32", Arithmetic::f32},
                                                              {"f64", Arithmetic::f64},
                                                              {"f16", Arithmetic::f16},
                                                              {"bf16", Arithmetic::bf16},
                                                              {"i8", Arithmetic::i8},
                                                              {"u8", Arithmetic::u8},
                                                              {"i16", Arithmetic::i16},
                                                              {"u16", Arithmetic::u16},
                                                              {"i32", Arithmetic::i32},
                                                              {"u32", Arithmetic::u32},
                                                              {"i64", Arithmetic::i64},
                                                              {"u64", Arithmetic::u64}}};

inline constexpr std::array<Named<StandardOperator>, 4> operators{{{"sum", StandardOperator::plus},
                                                                   {"prod", StandardOperator::multiplies},
                                                                   {"min", StandardOperator::minimum},
                                                                   {"max", StandardOperator::maximum}}};

/// What the value is called.
template <class T, std::size_t count>
std::string_view name_of(const std::array<Named<T>, count>& names, T value) {
  return std::ranges::find(names, value, &Named<T>::value)->name;
}

/// visit(std::type_identity<T>{}) for the type T that `datatype`, one of `datatypes`, stands for.
template <class Visit>
decltype(auto) with_type(Arithmetic datatype, Visit&& visit) {
  switch (datatype) {
    case Arithmetic::i8:
      return visit(std::type_identity<std::int8_t>{});
    case Arithmetic::u8:
      return visit(std::type_identity<std::uint8_t>{});
    case Arithmetic::i16:
      return visit(std::type_identity<std::int16_t>{});
    case Arithmetic::u16:
      return visit(std::type_identity<std::uint16_t>{});
    case Arithmetic::i32:
      return visit(std::type_identity<std::int32_t>{});
    case Arithmetic::u32:
      return visit(std::type_identity<std::uint32_t>{});
    case Arithmetic::i64:
      return visit(std::type_identity<std::int64_t>{});
    case Arithmetic::u64:
      return visit(std::type_identity<std::uint64_t>{});
    case Arithmetic::f32:
      return visit(std::type_identity<float>{});
    case Arithmetic::f16:
      return visit(std::type_identity<float16>{});
    case Arithmetic::bf16:
      return visit(std::type_identity<bfloat16>{});
    default:
      break;
  }
  return visit(std::type_identity<double>{});
}

/// visit(op) for the operator that `op` stands for; sum, prod, min and max only.
template <class Visit>
decltype(auto) with_operator(StandardOperator op, Visit&& visit) {
  if (op == StandardOperator::multiplies) return visit(std::multiplies<>{});
  if (op == StandardOperator::minimum) return visit(minimum{});
  if (op == StandardOperator::maximum) return visit(maximum{});
  return visit(std::plus<>{});
}

/// Whether it is f16 or bf16, which only the library has sums of.
constexpr bool has_sixteen_bits(Arithmetic datatype) {
  return datatype == Arithmetic::f16 || datatype == Arithmetic::bf16;
}

/// Bytes of one element.
inline std::size_t size_of(Arithmetic datatype) {
  return with_type(datatype, []<class T>(std::type_identity<T>) { return sizeof(T); });
}

}  // namespace vnode::bench
