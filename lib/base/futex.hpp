#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace vnode {

/// Sleeps while `word` is `value`, at most `limit`; may return early for no reason.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t value,
                std::chrono::nanoseconds limit) noexcept;
/// Wakes one thread that sleeps on `word`.
void futex_wake(std::atomic<std::uint32_t>& word) noexcept;

}  // namespace vnode
