#pragma once

#include <cstdint>
#include <vector>

#include <vnode/lab/simulate.hpp>

#include "simulate/dependencies.hpp"

namespace vnode {

/// What a message lets go when it is through with it.
enum class Released : std::uint8_t {
  sender_port,    ///< its sender's
  receiver_port,  ///< its receiver's
  data,           ///< what it has brought, or a combining has made
};

/// `after` cannot start before `before` has released something.
struct Precedence {
  int before, after;
  Released released;
  HeldBy held_by;  ///< what it is for `after`
};

/// The order in which ports serve messages, and nodes combine: that of the schedule. A single port is a
/// node's; otherwise every link has one at either end, that of the first or the last link of a message's way.
/// With Duplex::half, one port serves both what comes and what goes.
std::vector<Precedence> port_order(const std::vector<Task>& tasks, const Interconnect& interconnect,
                                   Ports ports);

}  // namespace vnode
