#pragma once

#include <vnode/lab/machine.hpp>

namespace vnode {

/// Pins the calling thread to a PU, an index into Machine::pus of this machine. SystemError if that is
/// refused.
void pin_to(const Machine& machine, int pu);
/// SystemError unless the calling thread is pinned to that PU.
void check_pinned(const Machine& machine, int pu);

}  // namespace vnode
