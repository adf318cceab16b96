#pragma once

#include <vector>

namespace vnode {

/// Every ordered way to write `nodes` as a product of two factors, and up to 27 nodes of three.
std::vector<std::vector<int>> factorisations(int nodes);

}  // namespace vnode
