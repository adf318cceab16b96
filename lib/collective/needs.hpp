#pragma once

#include <algorithm>

#include <vnode/lab/algorithms.hpp>

namespace vnode {

/// Whether an algorithm has that among its needs.
inline bool needs(const Algorithm& algorithm, Need need) {
  return std::ranges::find(algorithm.needs, need) != algorithm.needs.end();
}

}  // namespace vnode
