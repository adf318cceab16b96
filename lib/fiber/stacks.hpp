#pragma once

#include <cstddef>
#include <span>

namespace vnode {

/// Holds the stacks of fibers: address space, of which the system gives what is touched. Below each stack
/// lies a guard of guard_bytes that nobody may touch.
class Stacks {
 public:
  static constexpr std::size_t guard_bytes = std::size_t{64} << 10;
  /// Makes `count` stacks of `bytes`, rounded up to whole pages. Throws SystemError.
  Stacks(std::size_t count, std::size_t bytes);
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  std::span<std::byte> stack(std::size_t index) const {
    return {memory_ + index * (guard_bytes + bytes_) + guard_bytes, bytes_};
  }
  /// Returns the memory of some that follow each other, with what lies between them.
  std::span<const std::byte> stacks(std::size_t first, std::size_t count) const {
    return {memory_ + first * (guard_bytes + bytes_), count * (guard_bytes + bytes_)};
  }

 private:
  std::size_t bytes_, all_;
  std::byte* memory_ = nullptr;
};

/// Lets the calling thread say which node's stack has overflowed when one of its fibers touches its guard, on
/// stderr, before the process ends by SIGSEGV. All other faults go where they went before.
class OverflowWatch {
 public:
  OverflowWatch();
  ~OverflowWatch();
  OverflowWatch(const OverflowWatch&) = delete;
  OverflowWatch& operator=(const OverflowWatch&) = delete;

 private:
  void* own_ = nullptr;  // memory for the handler; null: the thread has some already
};

}  // namespace vnode
