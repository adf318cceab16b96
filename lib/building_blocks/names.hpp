#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <vnode/model/algorithms.hpp>

#include "schedule/collective_traits.hpp"

namespace vnode {

/// Returns the collective with whose name an algorithm's name begins, the longest: reduce_scatter, not
/// reduce.
constexpr Collective collective_of(std::string_view algorithm) {
  std::size_t found = 0, longest = 0;
  for (std::size_t i = 0; i < all_collective_traits.size(); ++i)
    if (const std::string_view name = all_collective_traits[i].name;
        name.size() > longest && algorithm.starts_with(name)) {
      found = i;
      longest = name.size();
    }
  if (longest == 0) throw "an algorithm's name begins with that of a collective";
  return static_cast<Collective>(found);
}

/// Returns the parts of a text between the marks: one more than there are marks.
inline std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at != std::string_view::npos;) {
    const std::size_t end = text.find(mark, at);
    parts.push_back(text.substr(at, end - at));
    at = end == std::string_view::npos ? end : end + 1;
  }
  return parts;
}

/// Returns an algorithm's name without its collective: "binomial".
inline std::string_view own_name(const Algorithm& algorithm) {
  return algorithm.name.substr(enums::name(algorithm.collective).size() + 1);
}

}  // namespace vnode
