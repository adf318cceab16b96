#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace vnode {

/// The `most` names that need the fewest letters put in, left out or exchanged to become `name`, the nearest
/// first; what somebody may have meant.
std::vector<std::string_view> nearest_names(std::string_view name, std::span<const std::string_view> names,
                                            std::size_t most = 3);

}  // namespace vnode
