#include <algorithm>
#include <array>
#include <hwloc/cpukinds.h>
#include <hwloc/distances.h>
#include <hwloc/memattrs.h>
#include <map>
#include <span>
#include <tuple>

#include <vnode/model/machine.hpp>

#include "base/at.hpp"
#include "base/enum_names.hpp"
#include "machine/hwloc.hpp"

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

/// Fills Machine::memory_attributes; the NUMA nodes are there already.
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

/// Fills Machine::numas and Pu::numa; the PUs are there already.
void read_numas(Machine& machine, hwloc_topology_t topology, const PuIndices& indices) {
  const hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_nodeset(topology);
  for (const hwloc_obj_t object : objects(topology, HWLOC_OBJ_NUMANODE)) {
    const int numa = static_cast<int>(machine.numas.size());
    machine.numas.push_back({.os_index = os_index(object),
                             .bytes = object->attr->numanode.local_memory,
                             .pus = indices.in(object->cpuset),
                             .allowed = hwloc_bitmap_isset(allowed, object->os_index) == 1,
                             .kind = kind_of(object),
                             .cache_bytes = cache_of(object)});
    for (const int pu : machine.numas.back().pus) {
      int& nearest = at(machine.pus, pu).numa;
      if (nearest < 0 || farness(machine.numas.back()) < farness(at(machine.numas, nearest))) nearest = numa;
    }
  }
  // A PU whose NUMA node the system hides is in none that there is, and no nearer to PUs of other packages
  // for it.
  std::map<int, int> hidden;  // by package
  for (int number = 0; Pu & pu : machine.pus) {
    if (pu.numa < 0) {
      const auto [place, first] = hidden.try_emplace(pu.package, static_cast<int>(machine.numas.size()));
      if (first)
        machine.numas.push_back(
            {.os_index = -1, .bytes = 0, .pus = {}, .allowed = true, .kind = {}, .cache_bytes = 0});
      pu.numa = place->second;
      at(machine.numas, pu.numa).pus.push_back(number);
    }
    ++number;
  }
}

constexpr std::array types{HWLOC_OBJ_NUMANODE, HWLOC_OBJ_PACKAGE, HWLOC_OBJ_CORE, HWLOC_OBJ_PU};

/// Returns the index of an object of these types in the machine's vector of them, or -1. A package or core is
/// that of its first PU.
int part(const Machine& machine, hwloc_obj_t object) {
  if (object->type == HWLOC_OBJ_NUMANODE || object->type == HWLOC_OBJ_PU)
    return static_cast<int>(object->logical_index);
  hwloc_obj_t pu = object;
  while (pu && pu->type != HWLOC_OBJ_PU) pu = pu->first_child;
  if (!pu) return -1;
  const Pu& first = machine.pus[pu->logical_index];
  return object->type == HWLOC_OBJ_CORE ? first.core : first.package;
}

Meaning meaning_of(unsigned long kind) {
  if (kind & HWLOC_DISTANCES_KIND_MEANS_LATENCY) return Meaning::latency;
  return kind & HWLOC_DISTANCES_KIND_MEANS_BANDWIDTH ? Meaning::bandwidth : Meaning::unknown;
}

/// Puts rows and columns in the order of the parts.
DistanceMatrix translated(const Machine& machine, hwloc_topology_t topology, hwloc_distances_s* matrix) {
  const std::size_t size = matrix->nbobjs;
  std::vector<std::pair<int, std::size_t>> order;  // part, and its row
  for (std::size_t row = 0; row < size; ++row) order.emplace_back(part(machine, matrix->objs[row]), row);
  std::ranges::sort(order);
  const char* const name = hwloc_distances_get_name(topology, matrix);
  DistanceMatrix read{.name = name ? name : "",
                      .type = hwloc_obj_type_string(matrix->objs[0]->type),
                      .meaning = meaning_of(matrix->kind),
                      .by_user = (matrix->kind & HWLOC_DISTANCES_KIND_FROM_USER) != 0,
                      .parts = {},
                      .values = {}};
  for (const auto& [from, row] : order) {
    read.parts.push_back(from);
    std::vector<std::uint64_t>& values = read.values.emplace_back();
    for (const auto& entry : order) values.push_back(matrix->values[row * size + entry.second]);
  }
  return read;
}

bool one_row_each(const DistanceMatrix& matrix) {
  return matrix.parts.front() >= 0 && std::ranges::adjacent_find(matrix.parts) == matrix.parts.end();
}

/// Fills Machine::matrices and Machine::distances; all else is there already.
void read_distances(Machine& machine, hwloc_topology_t topology) {
  unsigned count = 0;
  if (hwloc_distances_get(topology, &count, nullptr, 0, 0) != 0) return;
  std::vector<hwloc_distances_s*> found(count);
  if (hwloc_distances_get(topology, &count, found.data(), 0, 0) != 0) return;
  for (hwloc_distances_s* const matrix : found) {
    const std::span objects(matrix->objs, matrix->nbobjs);
    const bool same_type = std::ranges::all_of(
        objects, [&](hwloc_obj_t object) { return object && object->type == objects.front()->type; });
    if (!objects.empty() && same_type && std::ranges::count(types, objects.front()->type))
      if (DistanceMatrix read = translated(machine, topology, matrix); one_row_each(read))
        machine.matrices.push_back(std::move(read));
    hwloc_distances_release(topology, matrix);
  }
  const auto whole = std::ranges::find_if(machine.matrices, [&](const DistanceMatrix& matrix) {
    return matrix.type == "NUMANode" && matrix.meaning == Meaning::latency &&
           matrix.parts.size() == machine.numas.size();
  });
  if (whole != machine.matrices.end()) machine.distances = whole->values;
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
    at(machine.packages, place->second).pus.push_back(pu);

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
      at(machine.cores, at(machine.pus, pu).core).kind = static_cast<int>(machine.kinds.size());
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

/// Leaves out groups that are the whole machine, a package or a NUMA node with its PUs.
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

/// Reads the PUs that the system has but the topology has not.
void read_offline(Machine& machine, hwloc_topology_t topology) {
  const Bitmap offline;
  if (hwloc_bitmap_andnot(offline.get(), hwloc_topology_get_complete_cpuset(topology),
                          hwloc_topology_get_topology_cpuset(topology)) == 0)
    machine.offline = numbers(offline.get());
}

/// Returns what the processors call themselves, without the blanks with which some fill it up.
std::string processor_model(hwloc_topology_t topology) {
  for (const auto type : {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_MACHINE})
    for (const hwloc_obj_t object : objects(topology, type))
      if (const char* model = hwloc_obj_get_info_by_name(object, "CPUModel")) {
        std::string text = model;
        return text.erase(text.find_last_not_of(' ') + 1);
      }
  return {};
}

constexpr EnumNames<Meaning, 3> meanings{{"distance", "latency", "bandwidth"}};

}  // namespace

std::string_view enums::name(Meaning meaning) { return meanings[meaning]; }

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
