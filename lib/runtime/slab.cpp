#include "runtime/slab.hpp"

#include <algorithm>

#include "machine/binding.hpp"

namespace vnode {

Slab::~Slab() {
  for (const Pages& pages : pages_) release_pages(pages.begin, pages.bytes);
}

std::byte* Slab::allocate(std::size_t bytes) {
  const std::size_t rounded = (bytes + cache_line - 1) / cache_line * cache_line;
  if (rounded > left_) {
    constexpr std::size_t least = 64 << 10;
    pages_.reserve(pages_.size() + 1);
    const std::size_t size = std::max(rounded, least);
    next_ = allocate_pages(size, numa_);
    left_ = size;
    pages_.push_back({next_, size});
  }
  std::byte* const given = next_;
  next_ += rounded;
  left_ -= rounded;
  used_ += rounded;
  return given;
}

}
