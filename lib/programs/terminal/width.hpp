#pragma once

#include <cstddef>

namespace vnode {

/// The columns that a table may have: what COLUMNS says, if it is a number from 40 on; else those of the
/// terminal that standard output is; else 100.
std::size_t terminal_width();

}  // namespace vnode
