#pragma once

#include <vnode/collective.hpp>

#include "collective/pipelined_trees.hpp"

namespace vnode {

/// Two edge-disjoint spanning trees of a mesh of rows and columns, counted from the root's and cyclic. Fence
/// A has a rail along the root's row and posts down all other columns, whose last nodes close it with a
/// message to the root's column; fence B has its rail along the root's column and its posts along all other
/// rows. Nodes are coloured as a chessboard is, and send along rows and along columns in turn.
PipelinedTrees fences(const Parameters& parameters);

/// The rounds that it stays below r + c + k, by formula: an odd number of columns, if the number of segments
/// is odd, or of rows, if it is even, saves one.
int fences_saved(const Parameters& parameters);
/// Its rounds in which nobody sends, by formula: one segment waits for its turn where there are two rows or
/// two columns.
int fences_idle(const Parameters& parameters);
/// Their names in formulas.
inline constexpr Symbol fences_symbols[] = {
    {"e",
     "what an odd number of columns, if k is odd, or of rows, if k is even, saves: 1, or 2 on two rows for k "
     "= 1",
     [](const Parameters& parameters) { return double(fences_saved(parameters)); }},
    {"i", "the rounds in which nobody sends: none, but for k = 1 on two rows or columns",
     [](const Parameters& parameters) { return double(fences_idle(parameters)); }}};

}  // namespace vnode
