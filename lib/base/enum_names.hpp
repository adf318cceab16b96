#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace vnode {

/// Holds the names of an enumeration whose values are 0 .. count-1, in their order.
template <class Enum, std::size_t count>
struct EnumNames {
  std::array<std::string_view, count> names;

  static constexpr std::array<Enum, count> values = [] {
    std::array<Enum, count> all{};
    for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<Enum>(i);
    return all;
  }();
  constexpr std::string_view operator[](Enum value) const { return names[static_cast<std::size_t>(value)]; }
  /// Returns the value of that name, or nullopt.
  constexpr std::optional<Enum> find(std::string_view name) const {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return std::nullopt;
    return values[static_cast<std::size_t>(found - names.begin())];
  }
};

}  // namespace vnode
