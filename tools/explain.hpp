#pragma once

#include "options/command.hpp"

namespace vnode {

/// Adds `vnode explain`: why an algorithm is chosen.
void add_explain(Command app);

}  // namespace vnode
