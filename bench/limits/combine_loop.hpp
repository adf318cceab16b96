#pragma once

#include <cstddef>
#include <functional>

#include <vnode/operator.hpp>

namespace vnode::bench {

/// Combines two vectors by elements. It is inlined into a function of each instruction set, and vectorised
/// there. `to` may be `left` or `right`.
template <class T, class Operator>
[[gnu::always_inline]] inline void combine_loop(std::byte* to_bytes, const std::byte* left_bytes,
                                                const std::byte* right_bytes, std::size_t bytes) {
  T* to = reinterpret_cast<T*>(to_bytes);
  const T* left = reinterpret_cast<const T*>(left_bytes);
  const T* right = reinterpret_cast<const T*>(right_bytes);
#pragma omp simd
  for (std::size_t i = 0; i < bytes / sizeof(T); ++i) to[i] = static_cast<T>(Operator{}(left[i], right[i]));
}

}  // namespace vnode::bench
