// Written by tools/bindings/write from tools/bindings/table.py.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>

#include <vnode/c/operator.h>
#include <vnode/float16.hpp>
#include <vnode/operator.hpp>

namespace vnode {

/// One more than the largest number of the types that come with vnode.
inline constexpr int standard_types = 46;

/// Calls `visit.operator()<T>(type, name)` for every type of elements that comes with vnode.
template <class Visit>
constexpr void each_standard_type(Visit&& visit) {
  visit.template operator()<std::int8_t>(VNODE_I8, "VNODE_I8");
  visit.template operator()<std::uint8_t>(VNODE_U8, "VNODE_U8");
  visit.template operator()<std::int16_t>(VNODE_I16, "VNODE_I16");
  visit.template operator()<std::uint16_t>(VNODE_U16, "VNODE_U16");
  visit.template operator()<std::int32_t>(VNODE_I32, "VNODE_I32");
  visit.template operator()<std::uint32_t>(VNODE_U32, "VNODE_U32");
  visit.template operator()<std::int64_t>(VNODE_I64, "VNODE_I64");
  visit.template operator()<std::uint64_t>(VNODE_U64, "VNODE_U64");
  visit.template operator()<float>(VNODE_F32, "VNODE_F32");
  visit.template operator()<double>(VNODE_F64, "VNODE_F64");
  visit.template operator()<float16>(VNODE_F16, "VNODE_F16");
  visit.template operator()<bfloat16>(VNODE_BF16, "VNODE_BF16");
  visit.template operator()<long double>(VNODE_LONG_DOUBLE, "VNODE_LONG_DOUBLE");
  visit.template operator()<std::complex<float>>(VNODE_COMPLEX_F32, "VNODE_COMPLEX_F32");
  visit.template operator()<std::complex<double>>(VNODE_COMPLEX_F64, "VNODE_COMPLEX_F64");
  visit.template operator()<bool>(VNODE_BOOL, "VNODE_BOOL");
  visit.template operator()<std::byte>(VNODE_BYTE, "VNODE_BYTE");
  visit.template operator()<Located<std::int8_t>>(VNODE_LOCATED_I8, "VNODE_LOCATED_I8");
  visit.template operator()<Located<std::uint8_t>>(VNODE_LOCATED_U8, "VNODE_LOCATED_U8");
  visit.template operator()<Located<std::int16_t>>(VNODE_LOCATED_I16, "VNODE_LOCATED_I16");
  visit.template operator()<Located<std::uint16_t>>(VNODE_LOCATED_U16, "VNODE_LOCATED_U16");
  visit.template operator()<Located<std::int32_t>>(VNODE_LOCATED_I32, "VNODE_LOCATED_I32");
  visit.template operator()<Located<std::uint32_t>>(VNODE_LOCATED_U32, "VNODE_LOCATED_U32");
  visit.template operator()<Located<std::int64_t>>(VNODE_LOCATED_I64, "VNODE_LOCATED_I64");
  visit.template operator()<Located<std::uint64_t>>(VNODE_LOCATED_U64, "VNODE_LOCATED_U64");
  visit.template operator()<Located<float>>(VNODE_LOCATED_F32, "VNODE_LOCATED_F32");
  visit.template operator()<Located<double>>(VNODE_LOCATED_F64, "VNODE_LOCATED_F64");
  visit.template operator()<Located<float16>>(VNODE_LOCATED_F16, "VNODE_LOCATED_F16");
  visit.template operator()<Located<bfloat16>>(VNODE_LOCATED_BF16, "VNODE_LOCATED_BF16");
  visit.template operator()<Located<long double>>(VNODE_LOCATED_LONG_DOUBLE, "VNODE_LOCATED_LONG_DOUBLE");
}

/// The number of operators that come with vnode.
inline constexpr int standard_operators = 12;

/// Calls `visit.operator()<Operator>(op, name)` for every operator that comes with vnode.
template <class Visit>
constexpr void each_standard_operator(Visit&& visit) {
  visit.template operator()<std::plus<>>(VNODE_SUM, "VNODE_SUM");
  visit.template operator()<std::multiplies<>>(VNODE_PRODUCT, "VNODE_PRODUCT");
  visit.template operator()<minimum>(VNODE_MIN, "VNODE_MIN");
  visit.template operator()<maximum>(VNODE_MAX, "VNODE_MAX");
  visit.template operator()<std::bit_and<>>(VNODE_BIT_AND, "VNODE_BIT_AND");
  visit.template operator()<std::bit_or<>>(VNODE_BIT_OR, "VNODE_BIT_OR");
  visit.template operator()<std::bit_xor<>>(VNODE_BIT_XOR, "VNODE_BIT_XOR");
  visit.template operator()<std::logical_and<>>(VNODE_LOGICAL_AND, "VNODE_LOGICAL_AND");
  visit.template operator()<std::logical_or<>>(VNODE_LOGICAL_OR, "VNODE_LOGICAL_OR");
  visit.template operator()<logical_xor>(VNODE_LOGICAL_XOR, "VNODE_LOGICAL_XOR");
  visit.template operator()<minimum_location>(VNODE_MIN_LOCATION, "VNODE_MIN_LOCATION");
  visit.template operator()<maximum_location>(VNODE_MAX_LOCATION, "VNODE_MAX_LOCATION");
}

// C's structs have the layout of C++'s.
static_assert(sizeof(Located<std::int8_t>) == sizeof(vnode_located_i8));
static_assert(sizeof(Located<std::uint8_t>) == sizeof(vnode_located_u8));
static_assert(sizeof(Located<std::int16_t>) == sizeof(vnode_located_i16));
static_assert(sizeof(Located<std::uint16_t>) == sizeof(vnode_located_u16));
static_assert(sizeof(Located<std::int32_t>) == sizeof(vnode_located_i32));
static_assert(sizeof(Located<std::uint32_t>) == sizeof(vnode_located_u32));
static_assert(sizeof(Located<std::int64_t>) == sizeof(vnode_located_i64));
static_assert(sizeof(Located<std::uint64_t>) == sizeof(vnode_located_u64));
static_assert(sizeof(Located<float>) == sizeof(vnode_located_f32));
static_assert(sizeof(Located<double>) == sizeof(vnode_located_f64));
static_assert(sizeof(Located<float16>) == sizeof(vnode_located_f16));
static_assert(sizeof(Located<bfloat16>) == sizeof(vnode_located_bf16));
static_assert(sizeof(Located<long double>) == sizeof(vnode_located_long_double));

}  // namespace vnode
