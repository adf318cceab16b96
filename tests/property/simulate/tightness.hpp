#pragma once

#include <vnode/model/ports.hpp>
#include <vnode/model/schedule.hpp>

namespace vnode {

/// Describes what decides whether a schedule takes its step-synchronous time where links are not shared;
/// found block by block, without the simulator.
struct Tightness {
  bool uniform = true;   ///< the messages of a round have one size
  bool one_each = true;  ///< no two messages of a round at one port; with all ports, between the same two
  bool tight = true;     ///< some chain of messages, by data or ports, has one of every round
};
Tightness tightness(const Schedule& schedule, Ports ports);

}  // namespace vnode
