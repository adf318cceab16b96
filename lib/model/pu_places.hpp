#pragma once

#include <vector>

#include <vnode/lab/profile.hpp>

namespace vnode {

/// Which part of each kind a PU belongs to: indices into the machine's, -1 for a cache that it has not.
struct PuPlace {
  int core = 0, l2 = -1, l3 = -1, numa = 0, package = 0;
};
/// By PU. O(PUs + the PUs of all caches).
std::vector<PuPlace> pu_places(const Machine& machine);
/// The innermost part that both belong to.
PairClass pair_class(const PuPlace& a, const PuPlace& b);

}  // namespace vnode
