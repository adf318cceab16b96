#include <map>
#include <tuple>

#include "machine/memory.hpp"

namespace vnode {
namespace {

std::string kind_of(hwloc_obj_t object) {
  if (object->subtype) return object->subtype == std::string_view("DRAM") ? "" : object->subtype;
  const char* const device = hwloc_obj_get_info_by_name(object, "DAXType");
  return device ? device : "";
}

/// The caches between the bank and its PUs are the bank's parents.
std::uint64_t cache_of(hwloc_obj_t bank) {
  std::uint64_t bytes = 0;
  for (hwloc_obj_t object = bank->parent; object && object->type == HWLOC_OBJ_MEMCACHE;
       object = object->parent)
    bytes += object->attr->cache.size;
  return bytes;
}

/// The least is the nearest, for a PU that is near all of those in question. The system's own number comes
/// before ours: it follows locality where that is known.
auto farness(const NumaNode& numa) {
  return std::tuple(numa.pus.size(), numa.bytes == 0, !numa.kind.empty(), numa.os_index);
}

}  // namespace

void read_numas(Machine& machine, hwloc_topology_t topology, const PuIndices& indices) {
  const hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_nodeset(topology);
  const auto node = [&](int numa) -> const NumaNode& {
    return machine.numas[static_cast<std::size_t>(numa)];
  };
  for (const hwloc_obj_t object : objects(topology, HWLOC_OBJ_NUMANODE)) {
    const int numa = static_cast<int>(machine.numas.size());
    machine.numas.push_back({.os_index = os_index(object),
                             .bytes = object->attr->numanode.local_memory,
                             .pus = indices.in(object->cpuset),
                             .allowed = hwloc_bitmap_isset(allowed, object->os_index) == 1,
                             .kind = kind_of(object),
                             .cache_bytes = cache_of(object)});
    for (const int pu : machine.numas.back().pus) {
      int& nearest = machine.pus[static_cast<std::size_t>(pu)].numa;
      if (nearest < 0 || farness(node(numa)) < farness(node(nearest))) nearest = numa;
    }
  }
  // A PU whose NUMA node the system hides is in none that there is, and no nearer to PUs of other packages
  // for it.
  std::map<int, int> hidden;  // by package
  for (std::size_t pu = 0; pu < machine.pus.size(); ++pu) {
    if (machine.pus[pu].numa >= 0) continue;
    const auto [at, first] =
        hidden.try_emplace(machine.pus[pu].package, static_cast<int>(machine.numas.size()));
    if (first)
      machine.numas.push_back(
          {.os_index = -1, .bytes = 0, .pus = {}, .allowed = true, .kind = {}, .cache_bytes = 0});
    machine.pus[pu].numa = at->second;
    machine.numas[static_cast<std::size_t>(at->second)].pus.push_back(static_cast<int>(pu));
  }
}

}  // namespace vnode
