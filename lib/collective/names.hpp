#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <vnode/collective.hpp>

namespace vnode {

/// The parts of a text between the marks: one more than there are marks.
inline std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at != std::string_view::npos;) {
    const std::size_t end = text.find(mark, at);
    parts.push_back(text.substr(at, end - at));
    at = end == std::string_view::npos ? end : end + 1;
  }
  return parts;
}

/// An algorithm's name without its collective: "binomial".
inline std::string_view own_name(const Algorithm& algorithm) {
  return algorithm.name.substr(name(algorithm.collective).size() + 1);
}

}  // namespace vnode
