#pragma once

#include <string_view>

namespace vnode {

/// Throws UsageError unless `text` is JSON that is at most `deepest` arrays and objects deep (readers and
/// writers recurse); the sentence begins with `what` it is and names line and column. O(text), without
/// building anything.
void check_json(std::string_view text, std::string_view what, int deepest = 64);

}  // namespace vnode
