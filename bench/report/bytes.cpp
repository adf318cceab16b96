#include "report/bytes.hpp"

#include <fmt/format.h>

namespace vnode::bench {
namespace {
constexpr std::string_view units = "KMG";
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
