#pragma once

#include <charconv>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include <vnode/error.hpp>

namespace vnode {

/// Returns 65536 for "64K". K, M, G and T, also as Ki and KiB and in small letters, are powers of 1024; KB,
/// MB, GB and TB are powers of 1000; 1e6 is a million. Throws UsageError for anything else; `option` says
/// whose value it is.
inline std::size_t parse_bytes(std::string_view text, std::string_view option = {}) {
  const auto refuse = [&] {
    const std::string named = option.empty() ? std::string{} : std::string{option} + ' ';
    throw UsageError(named + "'" + std::string{text} + "' is not a number of bytes such as 65536, 64K or 1M" +
                     (text.find(',') != text.npos ? ": one, no list" : ""));
  };
  const char* const end = text.data() + text.size();
  std::size_t value = 0;
  auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{}) refuse();
  const auto multiply = [&](std::size_t base, unsigned power) {
    for (; power > 0; --power) {
      if (value > std::numeric_limits<std::size_t>::max() / base) refuse();
      value *= base;
    }
  };
  if (at != end && (*at == 'e' || *at == 'E')) {
    constexpr unsigned most_zeros = 19;  // more do not fit
    unsigned zeros = 0;
    const auto [next, wrong] = std::from_chars(at + 1, end, zeros);
    if (wrong != std::errc{} || next != end || zeros > most_zeros) refuse();
    multiply(10, zeros);
    return value;
  }
  std::string unit(at, end);
  for (char& letter : unit)
    letter = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  if (unit.empty() || unit == "B") return value;
  const std::size_t power = std::string_view{"KMGT"}.find(unit.front());
  const std::string_view rest = std::string_view{unit}.substr(1);
  if (power == std::string_view::npos || (!rest.empty() && rest != "B" && rest != "I" && rest != "IB"))
    refuse();
  multiply(rest == "B" ? 1000 : 1024, static_cast<unsigned>(power) + 1);
  return value;
}

/// Returns the shortest text that parse_bytes reads as this number: "64K" for 65536.
inline std::string bytes_text(std::size_t bytes) {
  constexpr std::string_view units = "KMG";
  std::size_t unit = 0;
  for (; unit < units.size() && bytes >= 1024 && bytes % 1024 == 0; ++unit) bytes /= 1024;
  std::string text = std::to_string(bytes);
  if (unit > 0) text += units[unit - 1];
  return text;
}

}  // namespace vnode
