#include "all_topologies.hpp"

#include <algorithm>
#include <bit>

using vnode::Family;
using vnode::Shape;
using vnode::Topology;

std::vector<std::vector<int>> factorisations(int nodes, int fewest, int most) {
  std::vector<std::vector<int>> all;
  if (fewest <= 1 && most >= 1) all.push_back({nodes});
  if (most <= 1) return all;
  for (int first = 1; first <= nodes; ++first) {
    if (nodes % first != 0) continue;
    for (std::vector<int>& rest : factorisations(nodes / first, std::max(fewest - 1, 1), most - 1)) {
      rest.insert(rest.begin(), first);
      all.push_back(std::move(rest));
    }
  }
  return all;
}

std::vector<Topology> topologies(int nodes) {
  std::vector<Topology> all;
  for (const Family family : {Family::array, Family::ring, Family::full})
    all.emplace_back(Shape(family), nodes);
  if (std::has_single_bit(static_cast<unsigned>(nodes)))
    for (const Family family : {Family::hypercube, Family::tree}) all.emplace_back(Shape(family), nodes);
  for (const Family family : {Family::mesh, Family::torus})
    for (const std::vector<int>& extents : factorisations(nodes, 2, 4))
      if (extents.size() < 4 || std::ranges::count(extents, 1) == 0)
        all.emplace_back(Shape(family, extents), nodes);
  return all;
}

std::vector<Topology> topologies_up_to(int most) {
  std::vector<Topology> all;
  for (int nodes = 1; nodes <= most; ++nodes)
    for (const Topology& topology : topologies(nodes)) all.push_back(topology);
  return all;
}
