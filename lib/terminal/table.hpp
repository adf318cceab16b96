#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vnode {

/// Rows of equally many cells as lines, columns as wide as their widest cell: the first `left` of them begin
/// at the left, the others end at the right.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t left = 1);

}  // namespace vnode
