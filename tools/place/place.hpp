#pragma once

#include "options/command.hpp"

namespace vnode {

/// Registers `place`, the placement experiments: collectives by algorithm, mapping, banks and size, predicted
/// and measured; a campaign of them from a file; the bandwidth of every bank from every core.
void add_place_experiments(Command app);

}  // namespace vnode
