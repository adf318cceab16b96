#pragma once

#include <hwloc.h>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include <vnode/model/machine.hpp>

namespace vnode {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using HwlocTopology = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, DestroyTopology>;

/// Holds a set of PUs or NUMA nodes by os index.
class Bitmap {
 public:
  Bitmap() : set_(hwloc_bitmap_alloc()) {
    if (!set_) throw std::bad_alloc();
  }
  hwloc_bitmap_t get() const { return set_.get(); }

 private:
  struct Free {
    void operator()(hwloc_bitmap_t set) const { hwloc_bitmap_free(set); }
  };
  std::unique_ptr<std::remove_pointer_t<hwloc_bitmap_t>, Free> set_;
};
/// Returns the numbers in a finite set, ascending.
std::vector<int> numbers(hwloc_const_bitmap_t set);

/// Makes a topology that is not loaded yet and will contain disallowed PUs and NUMA nodes too.
HwlocTopology new_topology();

/// Load a topology, disallowed PUs and NUMA nodes included. They throw as Machine's functions of these names
/// do.
HwlocTopology load_synthetic(const std::string& description);
HwlocTopology load_xml(const std::string& path);

/// Returns what hwloc finds here. It is loaded once and never destroyed, since threads restore their affinity
/// even at exit.
hwloc_topology_t system_topology();

/// Returns the system's number of an object; -1 if it has none, or if `object` is null.
int os_index(hwloc_obj_t object);

/// Returns all objects of a type, in the order of locality.
std::vector<hwloc_obj_t> objects(hwloc_topology_t topology, hwloc_obj_type_t type);

/// Finds PUs by the system's numbers.
class PuIndices {
 public:
  explicit PuIndices(hwloc_topology_t topology);
  /// Returns the indices into Machine::pus of the PUs in `set` that the topology has, ascending.
  std::vector<int> in(hwloc_const_cpuset_t set) const;

 private:
  std::vector<int> by_os_index_;  // -1: no PU
};

/// Returns the os indices of the system's NUMA nodes on which the calling thread may have no memory at this
/// moment, ascending, as cgroups' cpusets and the like leave them. None if the system does not tell.
std::vector<int> forbidden_memory();

/// Returns what Machine::discover() does but for the CPU quota, which is in many files.
Machine discovered_parts();

/// Returns a loaded topology as plain data, but for `source` and `this_system`.
Machine translate(hwloc_topology_t topology);

}  // namespace vnode
