#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vnode {

/// The numbers from `least` to `most`.
struct ValueBounds {
  std::size_t least = 1;
  std::size_t most = std::size_t{1} << 40;
};

/// "a,b" as "a" and "b": what stands between commas, also where it is nothing.
std::vector<std::string> split(std::string_view text);

/// "1K:8M": 1024 and its doubles up to 8 MiB; "3,5,9": these. K, M and G are powers of 1024. UsageError,
/// which begins with `option`, for anything else, and for a number that is out of bounds or comes twice.
std::vector<std::size_t> parse_values(std::string_view text, const std::string& option,
                                      ValueBounds bounds = {});

}  // namespace vnode
