#include "machine/translation.hpp"

#include <algorithm>
#include <hwloc/cpukinds.h>
#include <map>

#include "machine/distance_matrices.hpp"
#include "machine/memory.hpp"
#include "machine/parts.hpp"

namespace vnode {
namespace {

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

void read_kinds(Machine& machine, hwloc_topology_t topology, const PuIndices& indices) {
  const int count = std::max(0, hwloc_cpukinds_get_nr(topology, 0));
  for (int kind = 0; kind < count; ++kind) {
    const Bitmap set;
    int efficiency = -1;
    unsigned properties = 0;
    hwloc_info_s* property = nullptr;
    if (hwloc_cpukinds_get_info(topology, static_cast<unsigned>(kind), set.get(), &efficiency, &properties,
                                &property, 0) != 0)
      continue;
    CoreKind read{.efficiency = efficiency, .pus = indices.in(set.get()), .properties = {}};
    if (read.pus.empty()) continue;
    for (unsigned i = 0; i < properties; ++i)
      read.properties.emplace_back(property[i].name, property[i].value);
    for (const int pu : read.pus)
      machine.cores[static_cast<std::size_t>(machine.pus[static_cast<std::size_t>(pu)].core)].kind =
          static_cast<int>(machine.kinds.size());
    machine.kinds.push_back(std::move(read));
  }
}

void read_caches(Machine& machine, hwloc_topology_t topology, const PuIndices& indices) {
  for (const auto type :
       {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE})
    for (const hwloc_obj_t object : objects(topology, type))
      machine.caches.push_back({static_cast<int>(object->attr->cache.depth), object->attr->cache.size,
                                indices.in(object->cpuset)});
}

/// Without those that are the whole machine, a package or a NUMA node with its PUs.
void read_groups(Machine& machine, hwloc_topology_t topology, const PuIndices& indices) {
  const auto is = [](const auto& pus) { return [&pus](const auto& part) { return part.pus == pus; }; };
  for (int depth = 1; depth < hwloc_topology_get_depth(topology); ++depth) {
    const hwloc_obj_type_t type = hwloc_get_depth_type(topology, depth);
    if (type != HWLOC_OBJ_GROUP && type != HWLOC_OBJ_DIE) continue;
    for (hwloc_obj_t object = hwloc_get_obj_by_depth(topology, depth, 0); object;
         object = object->next_cousin) {
      std::vector<int> pus = indices.in(object->cpuset);
      if (!pus.empty() && pus.size() < machine.pus.size() &&
          std::ranges::none_of(machine.packages, is(pus)) && std::ranges::none_of(machine.numas, is(pus)))
        machine.groups.push_back(
            {object->subtype ? object->subtype : hwloc_obj_type_string(type), std::move(pus)});
    }
  }
}

/// PUs that the system has, but that are no PUs of the topology.
void read_offline(Machine& machine, hwloc_topology_t topology) {
  const Bitmap offline;
  if (hwloc_bitmap_andnot(offline.get(), hwloc_topology_get_complete_cpuset(topology),
                          hwloc_topology_get_topology_cpuset(topology)) == 0)
    machine.offline = numbers(offline.get());
}

std::string processor_model(hwloc_topology_t topology) {
  for (const auto type : {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_MACHINE})
    for (const hwloc_obj_t object : objects(topology, type))
      if (const char* model = hwloc_obj_get_info_by_name(object, "CPUModel")) return model;
  return {};
}

}  // namespace

Machine translate(hwloc_topology_t topology) {
  const PuIndices indices(topology);
  Machine machine;
  machine.model = processor_model(topology);
  read_pus(machine, topology);
  read_kinds(machine, topology, indices);
  read_caches(machine, topology, indices);
  read_offline(machine, topology);
  read_numas(machine, topology, indices);
  read_groups(machine, topology, indices);
  read_memory_attributes(machine, topology, indices);
  read_distances(machine, topology);
  return machine;
}

}  // namespace vnode
