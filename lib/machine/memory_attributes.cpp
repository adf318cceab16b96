#include <algorithm>
#include <hwloc/memattrs.h>

#include "machine/memory.hpp"

namespace vnode {
namespace {

/// hwloc has told units for its own attributes only, whose names end so.
std::string unit_of(const std::string& name) {
  if (name.ends_with("Bandwidth")) return "MiB/s";
  return name.ends_with("Latency") ? "ns" : "";
}

std::vector<hwloc_obj_t> targets(hwloc_topology_t topology, hwloc_memattr_id_t attribute) {
  unsigned count = 0;
  if (hwloc_memattr_get_targets(topology, attribute, nullptr, 0, &count, nullptr, nullptr) != 0) return {};
  std::vector<hwloc_obj_t> found(count);
  hwloc_memattr_get_targets(topology, attribute, nullptr, 0, &count, found.data(), nullptr);
  std::erase_if(found, [](hwloc_obj_t object) { return object->type != HWLOC_OBJ_NUMANODE; });
  return found;
}

void read_seen_from(MemoryAttribute& read, hwloc_topology_t topology, hwloc_memattr_id_t attribute,
                    hwloc_obj_t target, const PuIndices& indices) {
  unsigned count = 0;
  if (hwloc_memattr_get_initiators(topology, attribute, target, 0, &count, nullptr, nullptr) != 0) return;
  std::vector<hwloc_location> from(count);
  std::vector<hwloc_uint64_t> values(count);
  if (hwloc_memattr_get_initiators(topology, attribute, target, 0, &count, from.data(), values.data()) != 0)
    return;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const hwloc_const_cpuset_t set = from[i].type == HWLOC_LOCATION_TYPE_CPUSET
                                         ? from[i].location.cpuset
                                         : from[i].location.object->cpuset;
    std::vector<int> pus = set ? indices.in(set) : std::vector<int>();
    if (!pus.empty())
      read.values.push_back({static_cast<int>(target->logical_index), std::move(pus), values[i]});
  }
}

}  // namespace

void read_memory_attributes(Machine& machine, hwloc_topology_t topology, const PuIndices& indices) {
  const char* name = nullptr;
  for (hwloc_memattr_id_t id = 0; hwloc_memattr_get_name(topology, id, &name) == 0; ++id) {
    unsigned long flags = 0;
    if (id == HWLOC_MEMATTR_ID_CAPACITY || id == HWLOC_MEMATTR_ID_LOCALITY ||
        hwloc_memattr_get_flags(topology, id, &flags) != 0)
      continue;
    MemoryAttribute read{.name = name,
                         .unit = unit_of(name),
                         .higher_is_better = (flags & HWLOC_MEMATTR_FLAG_HIGHER_FIRST) != 0,
                         .values = {}};
    for (const hwloc_obj_t target : targets(topology, id)) {
      hwloc_uint64_t value = 0;
      if (flags & HWLOC_MEMATTR_FLAG_NEED_INITIATOR)
        read_seen_from(read, topology, id, target, indices);
      else if (hwloc_memattr_get_value(topology, id, target, nullptr, 0, &value) == 0)
        read.values.push_back({static_cast<int>(target->logical_index), {}, value});
    }
    std::ranges::sort(read.values, {},
                      [](const MemoryAttribute::Value& value) { return std::pair(value.numa, value.pus); });
    if (!read.values.empty()) machine.memory_attributes.push_back(std::move(read));
  }
}

}  // namespace vnode
