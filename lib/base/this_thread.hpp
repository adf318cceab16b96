#pragma once

namespace vnode {

/// Tells threads that exist at the same time from each other; never null. One instruction.
using ThreadId = const void*;
inline ThreadId this_thread() noexcept { return __builtin_thread_pointer(); }

}  // namespace vnode
