#include "machine/distance_matrices.hpp"

#include <algorithm>
#include <array>
#include <hwloc/distances.h>
#include <span>

namespace vnode {
namespace {

constexpr std::array types{HWLOC_OBJ_NUMANODE, HWLOC_OBJ_PACKAGE, HWLOC_OBJ_CORE, HWLOC_OBJ_PU};

/// Of an object of these types; an index into the machine's vector of them, or -1. A package or core is the
/// one of its first PU.
int part(const Machine& machine, hwloc_obj_t object) {
  const auto index = static_cast<std::size_t>(object->logical_index);
  switch (object->type) {
    case HWLOC_OBJ_NUMANODE:
    case HWLOC_OBJ_PU:
      return static_cast<int>(index);
    default:
      break;
  }
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

/// Rows and columns in the order of the parts.
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

}  // namespace

std::string_view name(Meaning meaning) {
  if (meaning == Meaning::unknown) return "distance";
  return meaning == Meaning::latency ? "latency" : "bandwidth";
}

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

}  // namespace vnode
