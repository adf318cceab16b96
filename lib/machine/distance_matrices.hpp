#pragma once

#include <vnode/lab/machine.hpp>

#include "machine/hwloc.hpp"

namespace vnode {

/// Fills Machine::matrices and Machine::distances. All else is there.
void read_distances(Machine& machine, hwloc_topology_t topology);

}  // namespace vnode
