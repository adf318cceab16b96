#pragma once

namespace vnode {

/// Tells the processor that this is a spin loop: it saves power and leaves a hyper-thread's sibling its
/// share.
inline void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

inline constexpr int cache_line = 64;
/// A processor may fetch so many bytes together. Words that one thread writes often, and those that another
/// reads or writes, lie so far apart.
inline constexpr int two_lines = 2 * cache_line;

}  // namespace vnode
