#pragma once

#include <vector>

#include <vnode/rank.hpp>

namespace vnode {

/// Describes a dimension of a mesh: the lines along it have `extent` nodes, which are `stride` ranks apart.
struct Line {
  int extent, stride;
};

/// Returns the dimensions of a mesh, fastest first.
inline std::vector<Line> fastest_first(const std::vector<int>& extents) {
  std::vector<Line> lines;
  int stride = 1;
  for (auto extent = extents.rbegin(); extent != extents.rend(); stride *= *extent++)
    lines.push_back({*extent, stride});
  return lines;
}

/// Returns the place of a node on its line.
inline int on_line(Rank rank, const Line& line) { return rank / line.stride % line.extent; }

/// Returns the node `steps` further along its line than `rank`, cyclic; |steps| < extent.
inline Rank along_line(Rank rank, const Line& line, int steps) {
  const int own = on_line(rank, line);
  return rank + ((own + steps + line.extent) % line.extent - own) * line.stride;
}

}  // namespace vnode
