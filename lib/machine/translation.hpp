#pragma once

#include <vnode/lab/machine.hpp>

#include "machine/hwloc.hpp"

namespace vnode {

/// A loaded topology as plain data, but for `source` and `this_system`.
Machine translate(hwloc_topology_t topology);

}  // namespace vnode
