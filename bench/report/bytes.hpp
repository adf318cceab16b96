#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vnode::bench {

/// "8", "64K", "8M", "1G": K, M and G are powers of 1024. Anything else is a UsageError that names `option`.
std::size_t parse_bytes(std::string_view text, std::string_view option);
/// The shortest such text that is exact.
std::string format_bytes(std::size_t bytes);
/// "all_reduce 8K"; the name alone for 0 bytes.
std::string with_bytes(std::string_view operation, std::size_t bytes);

}  // namespace vnode::bench
