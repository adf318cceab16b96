#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "generate.hpp"

namespace vnode_test {
namespace {

using enum vnode::Family;

/// Returns the part of a grid or cube that has these dimensions.
vnode::Shape part_of(const vnode::Topology& topology, const std::vector<int>& dimensions) {
  if (topology.family() == hypercube) return vnode::shapes::hypercube{};
  if (topology.family() == array || topology.family() == ring) return vnode::Shape(topology.family());
  std::vector<int> extents;
  for (const int d : dimensions) extents.push_back(topology.extents()[static_cast<std::size_t>(d)]);
  if (extents.size() >= 2) return vnode::Shape(topology.family(), extents);
  return vnode::Shape(topology.family() == torus ? ring : array);
}

/// Numbers what a node's coordinates are in all other dimensions. Of a hypercube, dimension d is bit d; of
/// others they are numbered as extents are listed.
std::vector<int> colors_along(const vnode::Topology& topology, const std::vector<int>& dimensions) {
  std::map<std::vector<int>, int> seen;
  std::vector<int> colors;
  for (int rank = 0; rank < topology.nodes(); ++rank) {
    std::vector<int> others = topology.coordinates(rank);
    for (const int d : dimensions)
      others[topology.family() == hypercube ? others.size() - 1 - static_cast<std::size_t>(d)
                                            : static_cast<std::size_t>(d)] = 0;
    colors.push_back(seen.try_emplace(others, static_cast<int>(seen.size())).first->second);
  }
  return colors;
}

bool has_dimensions(const vnode::Topology& topology) {
  return topology.family() != full && topology.family() != tree && topology.dimensions() > 0;
}

}

Operation random_split(Random& random, std::vector<Members>& groups, int group) {
  const Members members = groups[static_cast<std::size_t>(group)];
  const vnode::Topology& topology = members.topology;
  const auto nodes = static_cast<std::size_t>(topology.nodes());
  Operation made;
  made.kind = Operation::Kind::split;
  made.forms.assign(nodes, Form::blocking);
  made.keys.assign(nodes, 0);
  vnode::Shape shape = random.one_of<vnode::Shape>(
      {vnode::shapes::full{}, vnode::shapes::ring{}, vnode::shapes::mesh{}, vnode::shapes::torus{}});
  if (has_dimensions(topology) && random.one_in(2)) {
    for (int d = 0; d < topology.dimensions(); ++d)
      if (random.one_in(2)) made.dimensions.push_back(d);
    if (made.dimensions.empty()) made.dimensions.push_back(0);
    made.colors = colors_along(topology, made.dimensions);
    shape = part_of(topology, made.dimensions);
  } else {
    const int colors = 1 + random.below(3);
    for (std::size_t rank = 0; rank < nodes; ++rank) {
      made.colors.push_back(random.one_in(6) ? vnode::no_color : random.below(colors));
      made.keys[rank] = random.below(4) - 1;
    }
  }
  made.layout = static_cast<std::uint64_t>(shape.family());
  for (int color = 0; color <= *std::ranges::max_element(made.colors); ++color) {
    std::vector<int> ranks;
    for (std::size_t rank = 0; rank < nodes; ++rank)
      if (made.colors[rank] == color) ranks.push_back(static_cast<int>(rank));
    std::ranges::stable_sort(ranks, {}, [&](int rank) { return made.keys[static_cast<std::size_t>(rank)]; });
    made.parts.push_back(ranks.empty() ? -1 : static_cast<int>(groups.size()));
    if (ranks.empty()) continue;
    Members part{{}, vnode::Topology(shape, static_cast<int>(ranks.size()))};
    for (const int rank : ranks) part.nodes.push_back(members.nodes[static_cast<std::size_t>(rank)]);
    groups.push_back(std::move(part));
  }
  return made;
}

}
