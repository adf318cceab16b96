#pragma once

#include "options/command.hpp"

namespace vnode {

/// Registers `show ALGORITHM`: its rounds for --nodes P --root R --topology T; --format text|json.
void add_show(Command app);

}  // namespace vnode
