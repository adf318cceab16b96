#pragma once

#include <array>

namespace vnode {

/// {rows, columns} with rows * columns = `nodes` and rows <= columns as close as can be.
std::array<int, 2> squarest_factorisation(int nodes);

}  // namespace vnode
