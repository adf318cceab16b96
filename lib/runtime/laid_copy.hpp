#pragma once

#include <cstddef>

#include "base/layout_form.hpp"

namespace vnode {

/// Elements of one node's memory in the order in which they travel: as a form picks them, from its element
/// number `first` on, or without a form one after the other.
struct LaidMemory {
  std::byte* data = nullptr;
  const LayoutForm* form = nullptr;
  std::size_t first = 0;

  friend bool operator==(const LaidMemory&, const LaidMemory&) = default;
};

/// Copies elements [first, last) of what is laid to `packed`, where they lie one after the other.
void pack(std::byte* packed, const LaidMemory& from, std::size_t first, std::size_t last,
          std::size_t element_bytes);
/// Copies what lies one after the other at `packed` to elements [first, last) of what is laid.
void unpack(const LaidMemory& to, const std::byte* packed, std::size_t first, std::size_t last,
            std::size_t element_bytes);
/// Copies elements [first, last) from one end of a message to the other: directly where one of them has its
/// elements one after the other, else by way of a piece of the nearest cache.
void copy_laid(const LaidMemory& to, const LaidMemory& from, std::size_t first, std::size_t last,
               std::size_t element_bytes);

}  // namespace vnode
