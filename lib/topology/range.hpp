#pragma once

#include <string_view>

namespace vnode {

/// UsageError unless 0 <= index < count; `what` is the singular: "node", "port".
void check_range(std::string_view what, int index, int count);

}  // namespace vnode
