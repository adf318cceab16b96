#pragma once

#include <limits>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Is the number of a virtual node in its team or group: 0 .. p-1.
using Rank = int;

/// Stands for nobody: a neighbour that a node at a border does not have. Nothing is sent to it or comes from
/// it.
inline constexpr Rank no_rank = std::numeric_limits<Rank>::min() + 1;

}  // namespace vnode
#pragma GCC visibility pop
