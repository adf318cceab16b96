#pragma once

#include <cstddef>
#include <new>

#include "base/pause.hpp"

namespace vnode {

/// Gives channels their memory. The runtime implements it, and knows owners and banks.
class LineMemory {
 public:
  /// Returns zeroed memory, aligned to a pair of cache lines, that lives as long as this object.
  virtual std::byte* allocate(std::size_t bytes) = 0;

 protected:
  ~LineMemory() = default;
};

/// Makes a LineMemory a standard allocator. Nothing is given back before the LineMemory ends.
template <class T>
class LineAllocator {
 public:
  using value_type = T;

  explicit LineAllocator(LineMemory& memory) : memory_(&memory) {}
  template <class Other>
  LineAllocator(const LineAllocator<Other>& other) : memory_(other.memory()) {}

  T* allocate(std::size_t count) {
    static_assert(alignof(T) <= two_lines);
    return reinterpret_cast<T*>(memory_->allocate(count * sizeof(T)));
  }
  void deallocate(T*, std::size_t) noexcept {}
  LineMemory* memory() const { return memory_; }
  template <class Other>
  bool operator==(const LineAllocator<Other>& other) const {
    return memory_ == other.memory();
  }

 private:
  LineMemory* memory_;
};

}  // namespace vnode
