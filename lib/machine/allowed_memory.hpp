#pragma once

#include <vector>

namespace vnode {

/// The os indices of the system's NUMA nodes on which the calling thread may have no memory at this moment,
/// ascending, as cgroups' cpusets and the like leave them. None if the system does not tell.
std::vector<int> forbidden_memory();

}  // namespace vnode
