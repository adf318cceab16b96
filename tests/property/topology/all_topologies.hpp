#pragma once

#include <vector>

#include <vnode/topology.hpp>

/// All lists of at least `fewest` and at most `most` extents whose product is `nodes`, extents of 1 included.
std::vector<std::vector<int>> factorisations(int nodes, int fewest, int most);

/// Every topology of `nodes` nodes: each family that allows as many, meshes and tori of every factorisation
/// in two and three dimensions, and of four without extents of 1.
std::vector<vnode::Topology> topologies(int nodes);

/// Those for 1 to `most` nodes.
std::vector<vnode::Topology> topologies_up_to(int most);
