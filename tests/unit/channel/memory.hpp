#pragma once

#include <list>
#include <vector>

#include "channel/memory.hpp"

namespace vnode_test {

/// Line memory from the heap, for channels on their own.
class HeapMemory final : public vnode::LineMemory {
 public:
  std::byte* allocate(std::size_t bytes) override {
    lines_.emplace_back((bytes + sizeof(Line) - 1) / sizeof(Line));
    return lines_.back().front().bytes;
  }

 private:
  struct alignas(vnode::two_lines) Line {
    std::byte bytes[vnode::two_lines]{};
  };
  std::list<std::vector<Line>> lines_;
};

}
