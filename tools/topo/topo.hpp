#pragma once

#include "options/command.hpp"

namespace vnode {

/// Registers `topo`: --machine FILE.xml|SYNTHETIC (default: this machine), --profile, and --format text|json.
void add_topo(Command app);

}  // namespace vnode
