#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace vnode::bench {

/// Tells the core that this thread spins.
inline void relax() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace vnode::bench
