#pragma once

#include <cstdint>
#include <string>

#include <vnode/rank.hpp>

#include "runtime/fabric.hpp"

namespace vnode {

/// Names the calls of two nodes that should be one call and are not.
std::string mismatch_text(Fabric& fabric, Rank me, Rank peer, std::uint16_t context, std::uint32_t call);

/// Between runs: a sentence about a call that some members of a group have made and others have not, or
/// nothing.
std::string missed_text(Fabric& fabric, const Context& group);

/// Why call number `call` can never be completed, as far as the journals tell: a node is in another call
/// under the same number, or has left the run without it. Empty if there is hope. `peer`: the awaited node,
/// -1 for several. `group`: null for a
/// message outside of collectives, where `call` is its tag.
std::string why_hopeless(Fabric& fabric, Rank me, const Context* group, std::uint16_t context,
                         std::uint32_t call, Rank peer);

/// A line for each node: its call, its round, whom it waits for.
std::string status_of_all(Fabric& fabric);

}
