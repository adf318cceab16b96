#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vnode::bench {

/// "64K" for 65536: the shortest text that is exact; K, M and G are powers of 1024.
std::string format_bytes(std::size_t bytes);
/// "all_reduce 8K"; the name alone for 0 bytes.
std::string with_bytes(std::string_view operation, std::size_t bytes);

}  // namespace vnode::bench
