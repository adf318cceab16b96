#pragma once

#include <vnode/lab/machine.hpp>

#include "machine/parts.hpp"

namespace vnode {

/// Fills Machine::numas and Pu::numa. The PUs are there.
void read_numas(Machine& machine, hwloc_topology_t topology, const PuIndices& indices);

/// Fills Machine::memory_attributes. The NUMA nodes are there.
void read_memory_attributes(Machine& machine, hwloc_topology_t topology, const PuIndices& indices);

}  // namespace vnode
