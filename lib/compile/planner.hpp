#pragma once

#include <cstdint>
#include <span>

#include "compile/messages.hpp"
#include "compile/plan.hpp"

namespace vnode {

/// Describes a message that a node sends or receives.
struct OwnMessage {
  std::uint16_t round = 0;
  const Message* message = nullptr;
};

/// Makes the program of node `rank` by replaying its part of the schedule, round by round. `own` are its
/// messages, by round and in their order there. Takes O(n log n) for the n blocks in them and in its share.
/// Throws std::bad_alloc, and UsageError where why_no_plan() says so.
Program make_program(const Schedule& schedule, const Contract& contract, const BlockSizes& sizes,
                     Aliasing aliasing, const Messages& messages, std::span<const OwnMessage> own, Rank rank);

}  // namespace vnode
