#pragma once

#include <vnode/schedule.hpp>

namespace vnode {

/// One-to-all personalized communication along a broadcast's tree: in every round the same pairs, and each
/// message carries the blocks of its receiver and of all that it will reach. One block per rank.
Schedule personalized(const Schedule& broadcast);

}  // namespace vnode
