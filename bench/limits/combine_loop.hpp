#pragma once

#include <cstddef>
#include <functional>

#include <vnode/operator.hpp>

namespace vnode::bench {

/// Inlined into a function of each instruction set, and vectorised there.
template <class T, class Operator>
[[gnu::always_inline]] inline void combine_loop(std::byte* into_bytes, const std::byte* from_bytes,
                                                std::size_t bytes) {
  T* __restrict into = reinterpret_cast<T*>(into_bytes);
  const T* __restrict from = reinterpret_cast<const T*>(from_bytes);
  for (std::size_t i = 0; i < bytes / sizeof(T); ++i) into[i] = static_cast<T>(Operator{}(into[i], from[i]));
}

}  // namespace vnode::bench
