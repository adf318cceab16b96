#include "machine/parts.hpp"

#include <algorithm>

namespace vnode {

int os_index(hwloc_obj_t object) {
  return !object || object->os_index == HWLOC_UNKNOWN_INDEX ? -1 : static_cast<int>(object->os_index);
}

std::vector<hwloc_obj_t> objects(hwloc_topology_t topology, hwloc_obj_type_t type) {
  std::vector<hwloc_obj_t> all;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology, type, object))) all.push_back(object);
  return all;
}

PuIndices::PuIndices(hwloc_topology_t topology) {
  for (const hwloc_obj_t pu : objects(topology, HWLOC_OBJ_PU)) {
    if (pu->os_index >= by_os_index_.size()) by_os_index_.resize(pu->os_index + std::size_t{1}, -1);
    by_os_index_[pu->os_index] = static_cast<int>(pu->logical_index);
  }
}

std::vector<int> PuIndices::in(hwloc_const_cpuset_t set) const {
  std::vector<int> pus;
  for (int number = hwloc_bitmap_first(set); number >= 0 && number < static_cast<int>(by_os_index_.size());
       number = hwloc_bitmap_next(set, number))
    if (const int pu = by_os_index_[static_cast<std::size_t>(number)]; pu >= 0) pus.push_back(pu);
  std::ranges::sort(pus);
  return pus;
}

}  // namespace vnode
