#pragma once

#include "options/command.hpp"

namespace vnode {

/// Registers `map`: which PU each node of a topology gets on a machine, by one mapping policy or by all, and
/// how long its links become; --format text|json|csv|svg.
void add_map(Command app);

}  // namespace vnode
