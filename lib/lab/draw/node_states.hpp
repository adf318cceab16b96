#pragma once

#include <string>
#include <vector>

#include <vnode/topology.hpp>

#include "draw/arrangement.hpp"
#include "draw/drawing.hpp"

namespace vnode {

/// Returns the arrangement with the states of its nodes, by rank, beside them, where as few as possible of
/// the arrows, nodes and links are. O(nodes x (arrows + vertices + links)).
Arrangement with_states(Arrangement arrangement, const std::vector<std::string>& states,
                        const std::vector<Stroke>& arrows, const Topology& topology);

}  // namespace vnode
