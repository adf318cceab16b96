#pragma once

#include <chrono>

namespace vnode {

/// The longest time between two looks of a thread that waits: see WhileWaiting.
inline constexpr std::chrono::milliseconds look_interval{50};

/// Whether the calling thread has a WhileWaiting.
bool looks_while_waiting() noexcept;
/// Calls what the thread's newest WhileWaiting has, and throws what that throws.
void look_while_waiting();

}  // namespace vnode
