#pragma once

#include <vnode/lab/cost.hpp>

#include "communicator/member.hpp"

namespace vnode {

/// Measures what messages and combining cost where all nodes work at the same time, in a few milliseconds.
/// Called by all nodes of a group with more than one; what node 0 returns counts.
CostModel calibrated(Member& member);

}
