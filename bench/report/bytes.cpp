#include "report/bytes.hpp"

#include <charconv>
#include <fmt/format.h>
#include <limits>

#include <vnode/error.hpp>

namespace vnode::bench {
namespace {
constexpr std::string_view units = "KMG";
}

std::size_t parse_bytes(std::string_view text, std::string_view option) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  const std::size_t unit = rest.empty() ? 0 : units.find(rest) + 1;
  const bool known = rest.empty() || (rest.size() == 1 && unit > 0);
  if (error != std::errc{} || !known)
    throw UsageError{
        fmt::format("{} '{}': expected a number of bytes such as 8, 64K, 8M or 1G", option, text)};
  if (number > std::numeric_limits<std::size_t>::max() >> (10 * unit))
    throw UsageError{fmt::format("{} '{}' is more than any memory", option, text)};
  return number << (10 * unit);
}

std::string format_bytes(std::size_t bytes) {
  std::size_t unit = 0;
  while (unit < units.size() && bytes >= 1024 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::to_string(bytes) : fmt::format("{}{}", bytes, units[unit - 1]);
}

std::string with_bytes(std::string_view operation, std::size_t bytes) {
  return bytes == 0 ? std::string{operation} : fmt::format("{} {}", operation, format_bytes(bytes));
}

}  // namespace vnode::bench
