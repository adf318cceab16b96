#pragma once

#include <cstddef>
#include <vector>

#include "channel/memory.hpp"

namespace vnode {

/// The memory that one node owns in a fabric: pages of one bank, handed out in order and given back together.
class Slab final : public LineMemory {
 public:
  explicit Slab(int numa_os_index) : numa_(numa_os_index) {}
  ~Slab();
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;

  std::byte* allocate(std::size_t bytes) override;
  /// Bytes handed out, alignment included.
  std::size_t used() const { return used_; }

 private:
  struct Pages {
    std::byte* begin;
    std::size_t bytes;
  };
  int numa_;
  std::vector<Pages> pages_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t used_ = 0;
};

}
