#pragma once

#include <span>
#include <vector>

#include <vnode/topology.hpp>

#include "draw/arrangement.hpp"
#include "draw/drawing.hpp"
#include "draw/rounds.hpp"

namespace vnode {

/// Finds places for labels on lines, so that they overlap neither nodes nor each other.
class Places {
 public:
  /// Takes the drawing's nodes and labels, which keep their places.
  explicit Places(const Drawing& drawing);

  /// Puts the label on `line`, as near to its middle as possible, wherever the label was before. It avoids
  /// `lines` other than number `own` where that can be done. Returns false if there is no place.
  bool find(Label& label, std::span<const Point> line, std::span<const Stroke> lines, std::size_t own);

 private:
  bool is_free(const Box& box) const;

  std::vector<Box> taken_;
};

/// Holds what a panel adds to the nodes and links of its topology.
struct PanelMarks {
  std::vector<Stroke> arrows = {};  ///< of the panel's arrows, in order
  std::vector<Label> labels = {};   ///< loads of congested links, and rounds or blocks of arrows
  int left_out = 0;                 ///< labels that there was no room for
};

/// Returns the marks of a panel at their places; the arrangement's nodes stay free of labels.
PanelMarks marks_of(const Panel& panel, const Topology& topology, const Arrangement& arrangement);

/// Draws the panel with nodes, links, congestion and marks.
Drawing drawn(const Panel& panel, const PanelMarks& marks, const Topology& topology,
              const Arrangement& arrangement);

}  // namespace vnode
