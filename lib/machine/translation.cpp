#include "machine/translation.hpp"

#include <algorithm>
#include <hwloc/distances.h>
#include <map>

namespace vnode {
namespace {

int os_index(hwloc_obj_t object) {
  return !object || object->os_index == HWLOC_UNKNOWN_INDEX ? -1 : static_cast<int>(object->os_index);
}

std::vector<hwloc_obj_t> objects(hwloc_topology_t topology, hwloc_obj_type_t type) {
  std::vector<hwloc_obj_t> all;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology, type, object))) all.push_back(object);
  return all;
}

void read_pus(Machine& machine, hwloc_topology_t topology) {
  const hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_cpuset(topology);
  std::map<hwloc_obj_t, int> packages;  // the null object stands for "the system names none"
  hwloc_obj_t previous = nullptr;
  for (const hwloc_obj_t object : objects(topology, HWLOC_OBJ_PU)) {
    const int pu = static_cast<int>(machine.pus.size());
    const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, object);
    if (!core || core != previous) machine.cores.push_back({os_index(core), {}});
    previous = core;
    machine.cores.back().pus.push_back(pu);

    const hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, object);
    const auto [place, is_new] = packages.emplace(package, static_cast<int>(machine.packages.size()));
    if (is_new) machine.packages.push_back({os_index(package), {}});
    machine.packages[static_cast<std::size_t>(place->second)].pus.push_back(pu);

    machine.pus.push_back({.os_index = os_index(object),
                           .core = static_cast<int>(machine.cores.size()) - 1,
                           .numa = -1,
                           .package = place->second,
                           .allowed = hwloc_bitmap_isset(allowed, object->os_index) == 1});
  }
}

/// The PUs that `object` covers, ascending.
std::vector<int> covered(hwloc_topology_t topology, hwloc_obj_t object) {
  std::vector<int> pus;
  for (const int number : numbers(object->cpuset))
    if (const hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology, static_cast<unsigned>(number)))
      pus.push_back(static_cast<int>(pu->logical_index));
  std::ranges::sort(pus);
  return pus;
}

void read_caches(Machine& machine, hwloc_topology_t topology) {
  for (const auto type :
       {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE})
    for (const hwloc_obj_t object : objects(topology, type))
      machine.caches.push_back(
          {static_cast<int>(object->attr->cache.depth), object->attr->cache.size, covered(topology, object)});
}

void read_numas(Machine& machine, hwloc_topology_t topology) {
  const auto size = [&](int numa) { return machine.numas[static_cast<std::size_t>(numa)].pus.size(); };
  for (const hwloc_obj_t object : objects(topology, HWLOC_OBJ_NUMANODE)) {
    const int numa = static_cast<int>(machine.numas.size());
    machine.numas.push_back(
        {os_index(object), object->attr->numanode.local_memory, covered(topology, object)});
    for (const int pu : machine.numas.back().pus) {
      int& nearest = machine.pus[static_cast<std::size_t>(pu)].numa;
      if (nearest < 0 || size(numa) < size(nearest)) nearest = numa;
    }
  }
  NumaNode unnamed{.os_index = -1, .bytes = 0, .pus = {}};
  for (std::size_t pu = 0; pu < machine.pus.size(); ++pu)
    if (machine.pus[pu].numa < 0) {
      machine.pus[pu].numa = static_cast<int>(machine.numas.size());
      unnamed.pus.push_back(static_cast<int>(pu));
    }
  if (!unnamed.pus.empty()) machine.numas.push_back(unnamed);
}

void read_distances(Machine& machine, hwloc_topology_t topology) {
  unsigned count = 1;
  hwloc_distances_s* matrix = nullptr;
  if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &count, &matrix,
                                  HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
      count == 0)
    return;
  const std::size_t size = matrix->nbobjs;
  if (size == machine.numas.size()) {
    machine.distances.assign(size, std::vector<std::uint64_t>(size));
    for (std::size_t a = 0; a < size; ++a)
      for (std::size_t b = 0; b < size; ++b)
        machine.distances[matrix->objs[a]->logical_index][matrix->objs[b]->logical_index] =
            matrix->values[a * size + b];
  }
  hwloc_distances_release(topology, matrix);
}

std::string processor_model(hwloc_topology_t topology) {
  for (const auto type : {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_MACHINE})
    for (const hwloc_obj_t object : objects(topology, type))
      if (const char* model = hwloc_obj_get_info_by_name(object, "CPUModel")) return model;
  return {};
}

}  // namespace

Machine translate(hwloc_topology_t topology) {
  Machine machine;
  machine.model = processor_model(topology);
  read_pus(machine, topology);
  read_caches(machine, topology);
  read_numas(machine, topology);
  read_distances(machine, topology);
  return machine;
}

}  // namespace vnode
