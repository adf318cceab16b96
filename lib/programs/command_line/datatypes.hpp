#pragma once

#include <optional>
#include <string>

#include <vnode/operator.hpp>

#include "base/enum_names.hpp"

namespace vnode {

/// Names the types of elements on command lines.
inline constexpr EnumNames<Arithmetic, 15> datatypes{{"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64",
                                                      "f32", "f64", "f16", "bf16", "long_double",
                                                      "complex_f32", "complex_f64"}};

/// Returns the type of that name, or of nccl-tests' name: float, double, half, bfloat16, int8, uint8, ...
inline std::optional<Arithmetic> find_datatype(const std::string& name) {
  if (name == "float") return Arithmetic::f32;
  if (name == "double") return Arithmetic::f64;
  if (name == "half") return Arithmetic::f16;
  std::string own = name;
  if (name.starts_with("int")) own.erase(1, 2);
  if (name.starts_with("uint")) own.erase(1, 3);
  if (name.starts_with("bfloat")) own.erase(2, 4);
  if (name.starts_with("float")) own.erase(1, 4);
  return datatypes.find(own);
}

}  // namespace vnode
