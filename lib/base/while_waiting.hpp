#pragma once

#include <chrono>

namespace vnode {

class WhileWaiting;

/// A thread that waits looks at least so often: see WhileWaiting.
inline constexpr std::chrono::milliseconds look_interval{50};

/// Returns whether the calling thread has a WhileWaiting.
bool looks_while_waiting() noexcept;
/// Calls what the thread's newest WhileWaiting has, and throws what that throws.
void look_while_waiting();
/// Returns where the thread's newest WhileWaiting stands, null if there is none.
WhileWaiting*& newest_while_waiting() noexcept;

}  // namespace vnode
