#pragma once

#include <vnode/model/machine.hpp>

#include "base/message_buffer.hpp"

namespace vnode {

/// Writes which PUs of a machine are near each other, so that others can place their nodes by it.
void tell(MessageBuffer& said, const Machine& machine);
/// Returns the machine that tell() has written: its PUs, their cores, caches, NUMA nodes and packages.
Machine remote_machine(MessageBuffer& said);

}  // namespace vnode
