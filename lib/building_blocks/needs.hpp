#pragma once

#include <algorithm>

#include <vnode/model/algorithms.hpp>

namespace vnode {

/// Returns whether an algorithm has that among its needs.
inline bool needs(const Algorithm& algorithm, Need need) {
  return std::ranges::find(algorithm.needs, need) != algorithm.needs.end();
}

/// Returns whether all nodes are alike, and a part of the schedule can be built.
inline bool alike(const Algorithm& algorithm, const Parameters& parameters) {
  return algorithm.alike != nullptr && algorithm.alike(parameters);
}

}  // namespace vnode
