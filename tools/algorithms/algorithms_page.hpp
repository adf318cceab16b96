#pragma once

#include <string>

namespace vnode {

/// docs/algorithms.md: the register for reading, with the drawings of docs/figures that show an algorithm.
/// Nothing else goes into it, so that a test can compare.
std::string algorithms_page();

}  // namespace vnode
