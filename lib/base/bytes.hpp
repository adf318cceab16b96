#pragma once

#include <charconv>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include <vnode/error.hpp>

namespace vnode {

/// "64K" as 65536: K, M and G are powers of 1024. Anything else is a UsageError; `option` says whose value it
/// is.
inline std::size_t parse_bytes(std::string_view text, std::string_view option = {}) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const std::size_t shift = unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 0;
  if (error != std::errc{} || (shift == 0 && !unit.empty()) ||
      value > (std::numeric_limits<std::size_t>::max() >> shift)) {
    const std::string named = option.empty() ? std::string{} : std::string{option} + ' ';
    throw UsageError(named + "'" + std::string{text} + "' is not a number of bytes such as 65536, 64K or 1M");
  }
  return value << shift;
}

/// "64K" for 65536: the shortest text that parse_bytes reads as the same number.
inline std::string bytes_text(std::size_t bytes) {
  constexpr std::string_view units = "KMG";
  std::size_t unit = 0;
  for (; unit < units.size() && bytes >= 1024 && bytes % 1024 == 0; ++unit) bytes /= 1024;
  std::string text = std::to_string(bytes);
  if (unit > 0) text += units[unit - 1];
  return text;
}

}  // namespace vnode
