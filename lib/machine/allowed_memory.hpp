#pragma once

#include <optional>
#include <vector>

namespace vnode {

/// The os indices of the NUMA nodes on which the calling thread may have memory at this moment, ascending, as
/// cgroups' cpusets and the like leave them. Nothing if the system does not tell.
std::optional<std::vector<int>> allowed_memory();

}  // namespace vnode
