#pragma once

#include <cstdint>
#include <string>

#include <vnode/rank.hpp>

#include "runtime/fabric.hpp"

namespace vnode {

/// Names the calls of two nodes that should be one call and are not.
std::string mismatch_text(Fabric& fabric, Rank me, Rank peer, std::uint16_t context, std::uint32_t call);

/// Names two calls in which the members of a group differ, or says that they do although their journals no
/// longer know in which; empty if no difference is known. `quiet`: no node makes calls meanwhile.
std::string difference_text(Fabric& fabric, const Context& group, Rank a, Rank b, bool quiet);

/// When no node makes calls any more: a sentence about calls in which the members of a group differ, or
/// nothing.
std::string difference_text(Fabric& fabric, const Context& group);
/// The same about a call that some have made and others have not.
std::string missed_text(Fabric& fabric, const Context& group);

/// Why call number `call` can never be completed, as far as the journals tell: the node and another member
/// have made different calls, this one or an earlier one, or a node has left the run without it. Empty if
/// there is hope. `signature`: the call's; `peer`: the awaited node, -1 for several; `group`: null for a
/// message outside of collectives, where `call` is its tag.
std::string why_hopeless(Fabric& fabric, Rank me, const Context* group, std::uint16_t context,
                         std::uint32_t call, std::uint32_t signature, Rank peer);

/// A line for each node: its call, its round, whom it waits for.
std::string status_of_all(Fabric& fabric);

}
