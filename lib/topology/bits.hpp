#pragma once

#include <bit>

namespace vnode {

/// The bits it takes to write `n` >= 0.
inline int bit_width(int n) { return static_cast<int>(std::bit_width(static_cast<unsigned>(n))); }

}  // namespace vnode
