#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <vnode/rank.hpp>

#include "compile/plan.hpp"

namespace vnode {

/// Describes what a node shows on its board in a round: a message of the program, or several, packed one
/// after the other, as one more message to nobody.
struct Publication {
  std::uint32_t message = 0;  ///< in Program::outgoing
  std::uint32_t readers = 0;  ///< how many of Program::readers are its own; 0: all other nodes read it
  Rank only = -1;             ///< its only reader, if there is one
};

/// Adds to a program of a node of `nodes` what it shows in these messages of one round: if `packed`, all of
/// them, else the first, which is what all of their receivers want or says where it is.
Publication publication(Program& program, std::span<const std::uint32_t> messages, bool packed, int nodes);

}  // namespace vnode
