#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// types: written by tools/bindings/write from tools/bindings/table.py.

/// The types of elements. Those from vnode_type_register() have numbers beyond these.
typedef enum vnode_type {
  VNODE_I8 = 1,
  VNODE_U8 = 2,
  VNODE_I16 = 3,
  VNODE_U16 = 4,
  VNODE_I32 = 5,
  VNODE_U32 = 6,
  VNODE_I64 = 7,
  VNODE_U64 = 8,
  VNODE_F32 = 9,
  VNODE_F64 = 10,
  VNODE_F16 = 11,          ///< IEEE binary16 in a uint16_t; sums and products are computed in float
  VNODE_BF16 = 12,         ///< bfloat16, the upper half of a float, in a uint16_t; likewise
  VNODE_LONG_DOUBLE = 13,  ///< long double
  VNODE_COMPLEX_F32 = 14,  ///< float _Complex
  VNODE_COMPLEX_F64 = 15,  ///< double _Complex
  VNODE_BOOL = 16,         ///< bool of stdbool.h, 0 or 1: a sum is true if one term is, a product if all are
  VNODE_BYTE = 17,         ///< a byte without an operator
  // A number and where it was found, for VNODE_MIN_LOCATION and VNODE_MAX_LOCATION: the structs below.
  VNODE_LOCATED_I8 = 33,
  VNODE_LOCATED_U8 = 34,
  VNODE_LOCATED_I16 = 35,
  VNODE_LOCATED_U16 = 36,
  VNODE_LOCATED_I32 = 37,
  VNODE_LOCATED_U32 = 38,
  VNODE_LOCATED_I64 = 39,
  VNODE_LOCATED_U64 = 40,
  VNODE_LOCATED_F32 = 41,
  VNODE_LOCATED_F64 = 42,
  VNODE_LOCATED_F16 = 43,
  VNODE_LOCATED_BF16 = 44,
  VNODE_LOCATED_LONG_DOUBLE = 45,
  VNODE_TYPE_LARGEST = 0x7fffffff,       ///< no type: makes the enumeration as wide as an int
  VNODE_TYPE_SMALLEST = -0x7fffffff - 1  ///< no type: with it, every int is a value, also to C++
} vnode_type;

/// Holds an element of a VNODE_LOCATED type.
typedef struct vnode_located_i8 {
  int8_t value;
  int64_t index;
} vnode_located_i8;
typedef struct vnode_located_u8 {
  uint8_t value;
  int64_t index;
} vnode_located_u8;
typedef struct vnode_located_i16 {
  int16_t value;
  int64_t index;
} vnode_located_i16;
typedef struct vnode_located_u16 {
  uint16_t value;
  int64_t index;
} vnode_located_u16;
typedef struct vnode_located_i32 {
  int32_t value;
  int64_t index;
} vnode_located_i32;
typedef struct vnode_located_u32 {
  uint32_t value;
  int64_t index;
} vnode_located_u32;
typedef struct vnode_located_i64 {
  int64_t value;
  int64_t index;
} vnode_located_i64;
typedef struct vnode_located_u64 {
  uint64_t value;
  int64_t index;
} vnode_located_u64;
typedef struct vnode_located_f32 {
  float value;
  int64_t index;
} vnode_located_f32;
typedef struct vnode_located_f64 {
  double value;
  int64_t index;
} vnode_located_f64;
typedef struct vnode_located_f16 {
  uint16_t value;
  int64_t index;
} vnode_located_f16;
typedef struct vnode_located_bf16 {
  uint16_t value;
  int64_t index;
} vnode_located_bf16;
typedef struct vnode_located_long_double {
  long double value;
  int64_t index;
} vnode_located_long_double;

// end of types

/// Returns through `type` the type of that name, size and alignment, a power of two, for structs of the
/// program's own. All nodes take the same; equal arguments make the same type. It lasts as long as the
/// process. Its elements are copied byte by byte, and are combined by operators of the program's own only.
int vnode_type_register(const char* name, size_t bytes, size_t alignment, vnode_type* type);
/// Returns the size of an element through `bytes`.
int vnode_type_size(vnode_type type, size_t* bytes);
/// Returns the name of a type: "VNODE_F64", or the one that it was registered by. Of what is no type, NULL.
const char* vnode_type_name(vnode_type type);

/// Rounds a float to the nearest binary16 or, of two, the even one.
uint16_t vnode_f16_from_float(float number);
/// Returns the float that a binary16 is.
float vnode_f16_to_float(uint16_t bits);
/// Rounds a float to the nearest bfloat16 or, of two, the even one.
uint16_t vnode_bf16_from_float(float number);
/// Returns the float that a bfloat16 is.
float vnode_bf16_to_float(uint16_t bits);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
