#pragma once

#include <cstddef>
#include <limits>

#include <vnode/c/exchange.h>
#include <vnode/element.hpp>
#include <vnode/layouts.hpp>

namespace vnode {

/// More bytes than these cannot be counted from one place in memory to another.
inline constexpr std::size_t most_bytes = std::numeric_limits<std::ptrdiff_t>::max();

[[noreturn]] void refuse_data(const char* which, std::size_t count, bool too_many);

/// Throws for data that are missing, or more than memory holds; `which` names them as vnode.h does.
inline void check_data(const char* which, const void* data, std::size_t count, const ElementType& type) {
  std::size_t bytes = 0;
  const bool too_many = __builtin_mul_overflow(count, type.bytes, &bytes) || bytes > most_bytes;
  if ((data == nullptr && count > 0) || too_many) [[unlikely]]
    refuse_data(which, count, too_many);
}

/// Returns the elements that a piece describes; throws likewise, and where its layout does not pick as many.
Buffer piece_from(const vnode_piece& given, const ElementType& type, const char* which);

}  // namespace vnode
