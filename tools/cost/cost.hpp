#pragma once

#include "options/command.hpp"

namespace vnode {

/// Adds `vnode cost`: closed forms, what they come to, and where another algorithm is cheaper.
void add_cost(Command app);

}  // namespace vnode
