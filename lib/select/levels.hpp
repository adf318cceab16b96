#pragma once

#include <vector>

#include <vnode/collective.hpp>

namespace vnode {

/// How much of an algorithm's time belongs to rounds whose farthest message is between nodes that are apart
/// at as many levels of the hierarchy.
struct ShareOfLevel {
  double rounds = 0;  ///< of all rounds
  double words = 0;   ///< of the largest messages of all rounds
};
/// By the levels at which nodes are apart: one more than the hierarchy has. Of a pipelined algorithm, by a
/// few segments. O(transfers).
std::vector<ShareOfLevel> shares_of_levels(const Algorithm& algorithm, Parameters parameters);

}  // namespace vnode
