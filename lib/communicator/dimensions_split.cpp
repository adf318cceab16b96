// Splits along what a group's topology or the machine already divides.
#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/group.hpp>

#include "communicator/member.hpp"

namespace vnode {
namespace {

/// A split by colors, keys and the shape of the parts.
struct Division {
  int color, key;
  Shape shape;
};

void check_dimensions(const std::vector<int>& dimensions, int count, const Topology& topology) {
  for (auto d = dimensions.begin(); d != dimensions.end(); ++d) {
    if (*d < 0 || *d >= count)
      throw UsageError(fmt::format("{} has dimensions 0 to {}, not {}", topology.text(), count - 1, *d));
    if (std::find(dimensions.begin(), d, *d) != d)
      throw UsageError(fmt::format("dimension {} is named twice", *d));
  }
}

/// Rows, columns, planes: the coordinates in `dimensions` become the key, the others the color.
Division of_grid(const Topology& topology, const std::vector<int>& dimensions, Rank rank) {
  const auto extents = topology.extents();
  check_dimensions(dimensions, static_cast<int>(extents.size()), topology);
  int color = 0, key = 0, stride = 1;
  std::vector<int> coordinates(extents.size());
  for (std::size_t d = extents.size(); d-- > 0; rank /= extents[d]) coordinates[d] = rank % extents[d];
  for (std::size_t d = 0; d < extents.size(); ++d)
    if (std::ranges::find(dimensions, static_cast<int>(d)) == dimensions.end())
      color = color * extents[d] + coordinates[d];
  std::vector<int> part;
  for (auto d = dimensions.rbegin(); d != dimensions.rend(); ++d) {
    const auto at = static_cast<std::size_t>(*d);
    key += coordinates[at] * stride;
    stride *= extents[at];
    part.insert(part.begin(), extents[at]);
  }
  const bool wraps = topology.family() == Family::torus;
  if (part.size() >= 2) return {color, key, Shape(topology.family(), part)};
  return {color, key, Shape(wraps ? Family::ring : Family::array)};
}

/// Sub-cubes: the bits in `dimensions`, the first of them lowest, become the key.
Division of_cube(const Topology& topology, const std::vector<int>& dimensions, Rank rank) {
  check_dimensions(dimensions, static_cast<int>(std::bit_width(static_cast<unsigned>(topology.nodes() - 1))),
                   topology);
  int color = rank, key = 0;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    key |= (rank >> dimensions[i] & 1) << i;
    color &= ~(1 << dimensions[i]);
  }
  return {color, key, hypercube{}};
}

Division along_topology(const Topology& topology, const std::vector<int>& dimensions, Rank rank) {
  switch (topology.family()) {
    case Family::mesh:
    case Family::torus:
      return of_grid(topology, dimensions, rank);
    case Family::hypercube:
      return of_cube(topology, dimensions, rank);
    case Family::array:
    case Family::ring:
      check_dimensions(dimensions, 1, topology);
      if (dimensions.empty()) return {rank, 0, Shape(topology.family())};
      return {0, rank, Shape(topology.family())};
    case Family::tree:
    case Family::full:
      break;
  }
  throw UsageError(
      fmt::format("{} has no dimensions to split along: meshes, tori, hypercubes, arrays and rings have",
                  topology.text()));
}

/// The number of the cache of that level above a PU; `instead` if there is none, numbered after all caches.
int cache_of(const Machine& machine, int pu, int level, int instead) {
  const auto found = std::ranges::find_if(machine.caches, [&](const Cache& cache) {
    return cache.level == level && std::ranges::find(cache.pus, pu) != cache.pus.end();
  });
  const auto number = static_cast<int>(found - machine.caches.begin());
  return found != machine.caches.end() ? number : number + instead;
}

/// The number of the domain that a PU is in.
int domain_of(const Machine& machine, int pu, Domain domain) {
  const Pu& unit = machine.pus[static_cast<std::size_t>(pu)];
  switch (domain) {
    case Domain::package:
      return unit.package;
    case Domain::numa:
      return unit.numa;
    case Domain::l3:
      return cache_of(machine, pu, 3, unit.package);
    case Domain::l2:
      return cache_of(machine, pu, 2, unit.core);
    case Domain::core:
      break;
  }
  return unit.core;
}

}

Group Group::split(const along& dimensions) const {
  Member& own = member();
  const Division division = own.engine().call(
      [&] { return along_topology(own.group().topology, dimensions.dimensions, own.rank()); });
  return split(division.color, division.key, division.shape);
}

Group Group::split(Domain domain) const {
  const SharedGroup& group = member().group();
  const Rank node = group.context.node(rank());
  const int pu = group.facts.mapping.pu[static_cast<std::size_t>(node)];
  return split(domain_of(group.facts.machine, pu, domain));
}

}
