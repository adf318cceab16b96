#pragma once

#include <map>
#include <span>
#include <vector>

#include <vnode/topology.hpp>

#include "draw/arrangement.hpp"

namespace vnode {

/// Returns how long the heads of arrows are.
double head_length(const Arrangement& arrangement);

/// Returns the lines of ways, lists of directed links, from the edges of their first nodes to those of their
/// last; that of an empty way is empty. A way of one link runs on it, others beside the links, on the right
/// of their direction (where a torus closes, outside), or on the left where they cross fewer arrows there,
/// each in a lane of its own, the short ones inside. They keep clear of the nodes and switches that they
/// pass, and meet the edge of a node at different places as far as there is room. None runs on the links
/// (both directions) that `crowded` has, so that what is written on them stays legible.
std::vector<std::vector<Point>> lines_of(const Topology& topology, const Arrangement& arrangement,
                                         std::span<const std::vector<int>> ways,
                                         const std::map<int, int>& crowded = {});

}  // namespace vnode
