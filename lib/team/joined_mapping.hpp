#pragma once

#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/model/placement.hpp>

namespace vnode {

/// Returns where the nodes of these threads run, by rank. `affinities` are the PUs that each thread may use,
/// as os indices. The mapping is `usual` if all threads may use its PUs; otherwise as many nodes as possible
/// have a core of their own, and the others the PU that the fewest use. A thread that may use none of the
/// machine's PUs is where `usual` has it. Takes O(nodes cores²) at worst.
Mapping joined_mapping(const Machine& machine, const Mapping& usual,
                       const std::vector<std::vector<int>>& affinities);

}  // namespace vnode
