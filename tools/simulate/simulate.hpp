#pragma once

#include "options/command.hpp"

namespace vnode {

/// Adds the command `simulate`.
void add_simulate(Command app);

}  // namespace vnode
