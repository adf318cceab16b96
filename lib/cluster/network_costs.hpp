#pragma once

#include <vnode/model/profile.hpp>

#include "channel/wire.hpp"

namespace vnode {

/// Measures what messages between machines cost, in some milliseconds: between the first process and the
/// first one on another machine, over the wires of their first nodes. All processes call this before the
/// wires are used. Returns the measured costs in the first process, and typical costs in the others, or if
/// there is one machine, or if the other end has failed; that one throws, and says so in the next step of
/// all.
PairCosts measured_network(Transport& transport);

}  // namespace vnode
