#pragma once

#include "options/command.hpp"

namespace vnode {

/// Adds `vnode compare`: all algorithms of a collective side by side, predicted and measured.
void add_compare(Command app);

}  // namespace vnode
