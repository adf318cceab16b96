#pragma once

#include <vector>

#include <vnode/collective.hpp>

namespace vnode {

/// A dimension of a mesh: the lines along it have `extent` nodes, which are `stride` ranks apart.
struct Line {
  int extent, stride;
};
/// The dimensions of a mesh, fastest first.
std::vector<Line> fastest_first(const std::vector<int>& extents);
/// The node `steps` further along its line than `rank`, cyclic; |steps| < extent.
Rank along_line(Rank rank, const Line& line, int steps);

/// A mesh's dimensions in the order in which a broadcast goes through them; 0 is the slowest.
enum class LineOrder { fastest_first, slowest_first };

/// Broadcast on a mesh of any extents: along the root's line in the first dimension, then along all lines of
/// the next that begin to know, and so on. On every line a binomial broadcast, whose messages never share a
/// link.
Schedule along_lines(const Parameters& parameters, LineOrder order);
/// The pairs that may talk in its round `round`: on one line, at the round's distance.
bool on_a_line(const Parameters& parameters, LineOrder order, int round, Rank from, Rank to);
/// Its rounds: the sum of ceil(log2 extent).
int line_rounds(const Parameters& parameters);
/// The coordinates of a rank, slowest first.
std::vector<int> coordinates(Rank rank, const std::vector<int>& extents);

}  // namespace vnode
