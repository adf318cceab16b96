#pragma once

#include "options/command.hpp"

namespace vnode {

/// Adds `vnode calibrate`: measures this machine's profile and keeps it.
void add_calibrate(Command app);

}  // namespace vnode
