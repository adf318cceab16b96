#pragma once

#include "options/command.hpp"

namespace vnode {

/// Registers `draw`: pictures of what a schedule does on its topology, of its time, of its links, and of the
/// nodes on the machine; --format svg|text|html.
void add_draw(Command app);

}  // namespace vnode
