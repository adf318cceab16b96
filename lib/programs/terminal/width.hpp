#pragma once

#include <cstddef>

namespace vnode {

/// Returns how many letters wide a table may be: what COLUMNS says, if it is a number from 40 on; else the
/// width of the terminal that standard output, or another descriptor, is; else 100.
std::size_t terminal_width(int descriptor = 1);

}  // namespace vnode
