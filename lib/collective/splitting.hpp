#pragma once

#include <vnode/schedule.hpp>

namespace vnode {

/// Broadcast by message splitting (Grama 4.7.1), one block per rank: then(scatter, all_gather), without what
/// its receiver has already. The root of the scatter has all blocks, and a node that passed blocks on has
/// those.
Schedule split_broadcast(const Schedule& scatter, const Schedule& all_gather, Rank root);

/// The ones in the binary numbers 0 to n - 1: also what the nodes of a binomial tree of n have passed on, all
/// together, when each has got and sent what belongs to its subtree.
int ones_below(int n);

}  // namespace vnode
