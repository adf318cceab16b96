#include "execute/laid_copy.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace vnode {
namespace {

/// Copies `count` blocks of `bytes` each, whose begins are so far apart at the two ends. If `bytes` is a
/// Length, the compiler knows it, and makes a load and a store of each copy.
template <class Bytes>
void copy_each(std::byte* to, std::ptrdiff_t to_stride, const std::byte* from, std::ptrdiff_t from_stride,
               Bytes bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(to, from, bytes);
    to += to_stride;
    from += from_stride;
  }
}
template <std::size_t bytes>
using Length = std::integral_constant<std::size_t, bytes>;

void copy_blocks(std::byte* to, std::ptrdiff_t to_stride, const std::byte* from, std::ptrdiff_t from_stride,
                 std::size_t bytes, std::size_t count) {
  const auto copy = [=](auto length) { copy_each(to, to_stride, from, from_stride, length, count); };
  switch (bytes) {
    case 1:
      return copy(Length<1>());
    case 2:
      return copy(Length<2>());
    case 4:
      return copy(Length<4>());
    case 8:
      return copy(Length<8>());
    case 12:
      return copy(Length<12>());
    case 16:
      return copy(Length<16>());
    case 24:
      return copy(Length<24>());
    case 32:
      return copy(Length<32>());
    default:
      return copy(bytes);
  }
}

/// Calls blocks(laid, stride, packed, bytes, count) for all rows of laid memory.
template <class Packed, class Blocks>
void each_laid(const LaidMemory& laid, Packed* packed, std::size_t first, std::size_t last,
               std::size_t element_bytes, Blocks&& blocks) {
  const auto element = static_cast<std::ptrdiff_t>(element_bytes);
  auto row = [&](std::ptrdiff_t offset, std::size_t length, std::size_t count, std::ptrdiff_t stride) {
    const std::size_t bytes = length * element_bytes;
    blocks(laid.data + offset * element, stride * element, packed, bytes, count);
    packed += bytes * count;
  };
  each_row(laid.form->patterns, 0, laid.first + first, laid.first + last, row);
}

}  // namespace

void pack(std::byte* packed, const LaidMemory& from, std::size_t first, std::size_t last,
          std::size_t element_bytes) {
  if (first == last) return;
  if (from.form == nullptr) {
    std::memcpy(packed, from.data + (from.first + first) * element_bytes, (last - first) * element_bytes);
    return;
  }
  each_laid(
      from, packed, first, last, element_bytes,
      [](const std::byte* laid, std::ptrdiff_t stride, std::byte* to, std::size_t bytes, std::size_t count) {
        copy_blocks(to, static_cast<std::ptrdiff_t>(bytes), laid, stride, bytes, count);
      });
}

void unpack(const LaidMemory& to, const std::byte* packed, std::size_t first, std::size_t last,
            std::size_t element_bytes) {
  if (first == last) return;
  if (to.form == nullptr) {
    std::memcpy(to.data + (to.first + first) * element_bytes, packed, (last - first) * element_bytes);
    return;
  }
  each_laid(to, packed, first, last, element_bytes,
            [](std::byte* laid, std::ptrdiff_t stride, const std::byte* from, std::size_t bytes,
               std::size_t count) {
              copy_blocks(laid, stride, from, static_cast<std::ptrdiff_t>(bytes), bytes, count);
            });
}

void copy_laid(const LaidMemory& to, const LaidMemory& from, std::size_t first, std::size_t last,
               std::size_t element_bytes) {
  if (to.form == nullptr)
    return pack(to.data + (to.first + first) * element_bytes, from, first, last, element_bytes);
  if (from.form == nullptr)
    return unpack(to, from.data + (from.first + first) * element_bytes, first, last, element_bytes);
  alignas(64) std::byte cached[8192];
  const std::size_t step = sizeof cached / element_bytes;
  if (step == 0) {  // an element alone is longer: block by block
    auto row = [&](std::ptrdiff_t offset, std::size_t length, std::size_t count, std::ptrdiff_t stride) {
      for (std::size_t i = 0; i < count; ++i, first += length)
        pack(to.data + (offset + static_cast<std::ptrdiff_t>(i) * stride) *
                           static_cast<std::ptrdiff_t>(element_bytes),
             from, first, first + length, element_bytes);
    };
    return each_row(to.form->patterns, 0, to.first + first, to.first + last, row);
  }
  for (; first < last; first += std::min(step, last - first)) {
    const std::size_t end = first + std::min(step, last - first);
    pack(cached, from, first, end, element_bytes);
    unpack(to, cached, first, end, element_bytes);
  }
}

AlignedMemory::AlignedMemory(std::size_t bytes, std::size_t alignment)
    : data_(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{alignment})),
            Free{std::align_val_t{alignment}}) {}

void PackedElements::make_room(const Buffer& elements, const ElementType& type) {
  if (elements.layout != nullptr) {
    layout_.emplace(*elements.layout);
    user_.form = &layout_->form();
  }
  if (bytes() > sizeof near_ || type.alignment > alignof(std::max_align_t))
    far_ = AlignedMemory(bytes(), std::max(type.alignment, std::size_t{64}));
}

}  // namespace vnode
