#pragma once

#include <vector>

#include "machine/hwloc.hpp"

namespace vnode {

/// The system's number of an object; -1 if it has none, or is none.
int os_index(hwloc_obj_t object);

/// All objects of a type, in the order of locality.
std::vector<hwloc_obj_t> objects(hwloc_topology_t topology, hwloc_obj_type_t type);

/// Finds PUs by what the system calls them.
class PuIndices {
 public:
  explicit PuIndices(hwloc_topology_t topology);
  /// Of those in `set` that the topology has, ascending: indices into Machine::pus.
  std::vector<int> in(hwloc_const_cpuset_t set) const;

 private:
  std::vector<int> by_os_index_;  // -1: no PU
};

}  // namespace vnode
