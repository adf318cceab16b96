#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#else
#include <chrono>
#endif

namespace vnode {

/// Ticks of a clock that all cores share: the time-stamp counter on x86-64, the steady clock elsewhere.
using Ticks = std::uint64_t;

/// Now. May be read before earlier instructions have finished: for waiting until a deadline.
inline Ticks now() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return static_cast<Ticks>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// Now, read after all earlier loads have returned and before any later instruction begins: the end of what
/// is timed.
inline Ticks now_after() {
#if defined(__x86_64__)
  unsigned core;
  const Ticks ticks = __rdtscp(&core);
  _mm_lfence();
  return ticks;
#else
  return now();
#endif
}

/// What the clock is worth; measured once, in some 20 ms.
struct Clock {
  const char* source;  ///< "tsc" or "steady_clock"
  double ticks_per_us;
  Ticks cost;  ///< of reading it, median
  double us(Ticks ticks) const { return static_cast<double>(ticks) / ticks_per_us; }
  Ticks ticks(double microseconds) const { return static_cast<Ticks>(microseconds * ticks_per_us); }
};

const Clock& the_clock();

}  // namespace vnode
