#pragma once

#include "options/command.hpp"

namespace vnode {

/// Registers `algorithms`: the register with its promises; --format text|json|csv|markdown.
void add_algorithms(Command app);

}  // namespace vnode
