#pragma once

#include <string>
#include <string_view>

#include "base/bytes.hpp"

namespace vnode::bench {

/// "all_reduce 8K"; the name alone for 0 bytes.
inline std::string with_bytes(std::string_view operation, std::size_t bytes) {
  return std::string{operation} + (bytes == 0 ? "" : ' ' + bytes_text(bytes));
}

}  // namespace vnode::bench
