#pragma once

#include <vector>

#include <vnode/topology.hpp>

namespace vnode {

/// How nodes are divided where both can be done.
enum class BlockShape { boxes, halves };

/// Divides a topology's nodes, the ranks in `nodes`, among parts of `sizes` nodes, in sum as many, so that
/// few links are cut: in boxes of the same extents, where sizes are equal and the nodes are a box that these
/// divide; otherwise, or if halves are asked for and there is no power of two of parts, in halves of the
/// parts again and again, cut across the dimension where the fewest links are. Parts that follow one another
/// are neighbours. The topology's nodes have coordinates.
std::vector<std::vector<Rank>> divided_in_blocks(const Topology& topology, std::vector<Rank> nodes,
                                                 const std::vector<int>& sizes, BlockShape shape);

}  // namespace vnode
