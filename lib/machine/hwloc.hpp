#pragma once

#include <hwloc.h>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

namespace vnode {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using HwlocTopology = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, DestroyTopology>;

/// A set of PUs or NUMA nodes by os index.
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
/// Ascending. The set is finite.
std::vector<int> numbers(hwloc_const_bitmap_t set);

/// Neither configured further nor loaded; disallowed PUs and NUMA nodes will be in it too.
HwlocTopology new_topology();

/// Loaded topologies that contain disallowed PUs and NUMA nodes too. Errors as in Machine's makers of these
/// names.
HwlocTopology load_synthetic(const std::string& description);
HwlocTopology load_xml(const std::string& path);

/// What hwloc finds here, loaded once and never destroyed: threads restore their affinity even at exit.
hwloc_topology_t system_topology();

}  // namespace vnode
