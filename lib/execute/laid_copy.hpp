#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <optional>

#include <vnode/element.hpp>
#include <vnode/layouts.hpp>

#include "compile/exchange_program.hpp"

namespace vnode {

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

/// Holds memory for elements of any type, aligned to two cache lines, or to more if they need it.
class AlignedMemory {
 public:
  AlignedMemory() : data_(nullptr, Free{std::align_val_t{1}}) {}
  /// Allocates `bytes` bytes. Throws std::bad_alloc.
  AlignedMemory(std::size_t bytes, std::size_t alignment);

  std::byte* data() const { return data_.get(); }

 private:
  struct Free {
    std::align_val_t alignment;
    void operator()(std::byte* bytes) const noexcept { ::operator delete(bytes, alignment); }
  };
  std::unique_ptr<std::byte, Free> data_;
};

/// Holds the elements of a message at one end, one after the other: where they lie in the user's memory or,
/// if a layout picks them, in a packed copy.
class PackedElements {
 public:
  /// Takes the elements. If `copies`, they are copied even if no layout picks them. Throws std::bad_alloc.
  PackedElements(const Buffer& elements, const ElementType& type, bool copies = false)
      : user_{static_cast<std::byte*>(elements.data), nullptr, elements.first},
        count_(elements.count),
        element_bytes_(type.bytes),
        packed_(copies || elements.layout != nullptr) {
    if (packed_) [[unlikely]]
      make_room(elements, type);
  }
  PackedElements(const PackedElements&) = delete;
  PackedElements& operator=(const PackedElements&) = delete;

  std::byte* data() {
    if (!packed_) return user_.data;
    return far_.data() != nullptr ? far_.data() : near_;
  }
  std::size_t bytes() const { return count_ * element_bytes_; }
  void pack() {
    if (packed_) vnode::pack(data(), user_, 0, count_, element_bytes_);
  }
  /// Copies as many elements as have arrived to where they belong.
  void unpack(std::size_t count) {
    if (packed_) vnode::unpack(user_, data(), 0, count, element_bytes_);
  }

 private:
  void make_room(const Buffer& elements, const ElementType& type);

  LaidMemory user_;
  std::size_t count_, element_bytes_;
  bool packed_;
  std::optional<Layout> layout_;  // keeps its form
  AlignedMemory far_;
  alignas(std::max_align_t) std::byte near_[256];
};

}  // namespace vnode
