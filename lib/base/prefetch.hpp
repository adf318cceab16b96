#pragma once

namespace vnode {

/// Asks for the cache line at `place` before it is written: whoever shares it gives it up now, and not when
/// the store is waiting. A hint.
inline void prefetch_for_write(const void* place) noexcept {
#if defined(__x86_64__)
  // The builtin makes this instruction only for processors that are newer than what we compile for; those
  // that do not have it ignore it.
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(place)));
#else
  __builtin_prefetch(place, 1, 3);
#endif
}

}  // namespace vnode
