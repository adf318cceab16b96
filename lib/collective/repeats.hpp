#pragma once

#include <span>
#include <vector>

#include <vnode/schedule.hpp>

namespace vnode {

/// `a`, which only moves blocks into their own places, without what a receiver holds already: what it was
/// sent before, and the blocks held[rank] from the start. Rounds may become empty.
Schedule without_repeats(const Schedule& a, std::span<const std::vector<int>> held);

}  // namespace vnode
