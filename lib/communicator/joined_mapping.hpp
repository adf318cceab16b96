#pragma once

#include <vector>

#include <vnode/lab/machine.hpp>
#include <vnode/lab/placement.hpp>

namespace vnode {

/// Returns where nodes run whose threads may use these PUs, by rank, os indices: as in `usual` if all may;
/// otherwise as many as possible have a core of their own, and the others the PU that the fewest use. A
/// thread that may use none of the machine's PUs is where `usual` has it. O(nodes cores²) at worst.
Mapping joined_mapping(const Machine& machine, const Mapping& usual,
                       const std::vector<std::vector<int>>& affinities);

}  // namespace vnode
