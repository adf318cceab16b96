#pragma once

#include <vector>

#include <vnode/lab/machine.hpp>

namespace vnode {

/// Some PUs, and how the machine divides them. A part that is not divided further has no parts.
struct PuPart {
  std::vector<int> pus = {};  ///< those of its parts, one after the other; one may be there several times
  std::vector<PuPart> parts = {};  ///< two or more, or none
};

/// These PUs by package, NUMA node, third and second level cache and core, from the outside in: of two kinds
/// of parts the one with the largest part is outside. Parts are in the order of their first PUs in `pus`.
PuPart divided(const Machine& machine, const std::vector<int>& pus);

}  // namespace vnode
