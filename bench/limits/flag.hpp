#pragma once

#include <atomic>
#include <cstdint>

#include "base/pause.hpp"

namespace vnode::bench {

/// A flag is a number that one caller raises and others wait for. It is alone in its pair of cache lines,
/// since processors fetch neighbouring lines together.
struct alignas(128) Flag {
  std::atomic<std::uint64_t> value{0};

  /// Raises the number. What the caller wrote before is seen by those that await() then lets go.
  void raise(std::uint64_t to) { value.store(to, std::memory_order_release); }

  void await(std::uint64_t at_least, bool relaxing) const {
    while (value.load(std::memory_order_acquire) < at_least)  // pairs with raise()
      if (relaxing) pause();
  }
};

}  // namespace vnode::bench
