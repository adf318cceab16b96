#pragma once

#include <span>
#include <vector>

#include <vnode/model/schedule.hpp>

namespace vnode {

/// Returns `a`, which only moves blocks into their own places, without what a receiver holds already: what it
/// was sent before, and the blocks held[rank] from the start. Rounds may become empty.
Schedule without_repeats(const Schedule& a, std::span<const std::vector<int>> held);

/// Returns a broadcast by message splitting (Grama 4.7.1), one block per rank: then(scatter, all_gather),
/// without what its receiver has already. The root of the scatter has all blocks, and a node that passed
/// blocks on has those.
Schedule split_broadcast(const Schedule& scatter, const Schedule& all_gather, Rank root);

}  // namespace vnode
