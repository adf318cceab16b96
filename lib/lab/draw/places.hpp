#pragma once

#include <span>
#include <vector>

#include "draw/drawing.hpp"

namespace vnode {

/// Finds places for labels on lines, so that they overlap neither nodes nor each other.
class Places {
 public:
  /// Nodes and labels that the drawing already has keep their places.
  explicit Places(const Drawing& drawing);

  /// Where the label can stand on `line`, as near to its middle as it may be; the label's own place otherwise
  /// does not matter. It avoids `lines` other than number `own` where that can be done. False if there is no
  /// place.
  bool find(Label& label, std::span<const Point> line, std::span<const Stroke> lines, std::size_t own);

 private:
  bool is_free(const Box& box) const;

  std::vector<Box> taken_;
};

}  // namespace vnode
