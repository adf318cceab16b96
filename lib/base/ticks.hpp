#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#else
#include <chrono>
#endif

namespace vnode {

/// Counts ticks of a clock that all cores share: the time-stamp counter on x86-64, the steady clock
/// elsewhere. A tick takes 0.2 to 1 ns.
using Ticks = std::uint64_t;

/// Returns the time now. It may be read before earlier instructions have finished.
inline Ticks now() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return static_cast<Ticks>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

}  // namespace vnode
