#pragma once

#include <vnode/model/algorithms.hpp>

#include "building_blocks/pipelined_trees.hpp"

namespace vnode {

/// Returns two edge-disjoint spanning trees of a mesh of rows and columns, counted from the root's and
/// cyclic. Fence A has a rail along the root's row and posts down all other columns, whose last nodes close
/// it with a message to the root's column; fence B has its rail along the root's column and its posts along
/// all other rows. Nodes are coloured as a chessboard is, and send along rows and along columns in turn.
PipelinedTrees fences(const Parameters& parameters);

}  // namespace vnode
