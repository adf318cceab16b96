#pragma once

#include <vnode/lab/profile.hpp>

#include "channel/wire.hpp"

namespace vnode {

/// Measures what messages between machines cost, in some milliseconds: between the first process and the
/// first one on another machine, over the wires of their first nodes. All processes call this before the
/// wires are used, and all get the same. Typical costs if there is one machine.
PairCosts measured_network(Transport& transport);

}  // namespace vnode
