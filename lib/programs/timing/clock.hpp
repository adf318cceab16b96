#pragma once

#include "base/ticks.hpp"

namespace vnode {

/// Returns the time now, read after all earlier loads have returned and before any later instruction begins:
/// the end of what is timed.
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

/// Describes the clock; it is measured once, in some 20 ms.
struct Clock {
  const char* source;  ///< "tsc" or "steady_clock"
  double ticks_per_us;
  Ticks cost;  ///< of reading it, median
  double us(Ticks ticks) const { return static_cast<double>(ticks) / ticks_per_us; }
  Ticks ticks(double microseconds) const { return static_cast<Ticks>(microseconds * ticks_per_us); }
};

const Clock& the_clock();

}  // namespace vnode
