#pragma once

#include <atomic>
#include <cstdint>

#include "measure/relax.hpp"

namespace vnode::bench {

/// A flag alone in its pair of lines: processors fetch neighbouring lines together.
struct alignas(128) Flag {
  std::atomic<std::uint64_t> value{0};

  void raise(std::uint64_t to) { value.store(to, std::memory_order_release); }

  template <bool relaxing>
  void await(std::uint64_t at_least) const {
    while (value.load(std::memory_order_acquire) < at_least)
      if constexpr (relaxing) relax();
  }
};

/// How often a flag goes back and forth in one call.
inline constexpr int flag_rounds = 32;

}  // namespace vnode::bench
