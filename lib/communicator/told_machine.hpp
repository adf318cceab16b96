#pragma once

#include <vnode/lab/machine.hpp>

#include "base/said.hpp"

namespace vnode {

/// Says of a machine which of its PUs are near each other, for others to place their nodes by.
void tell(Said& said, const Machine& machine);
/// The machine that somebody has told: its PUs, their cores, caches, NUMA nodes and packages.
Machine told_machine(Said& said);

}  // namespace vnode
