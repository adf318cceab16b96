#pragma once

#include <vector>

#include <vnode/topology.hpp>

#include "draw/drawing.hpp"
#include "draw/layout.hpp"
#include "draw/rounds.hpp"

namespace vnode {

/// What a panel adds to the nodes and links of its topology.
struct PanelMarks {
  std::vector<Stroke> arrows = {};  ///< of the panel's arrows, in order
  std::vector<Label> labels = {};   ///< loads of congested links, and rounds or blocks of arrows
  int left_out = 0;                 ///< labels that there was no room for
};

/// The marks at their places; the layout's nodes stay free of labels.
PanelMarks marks_of(const Panel& panel, const Topology& topology, const Layout& layout);

/// The panel with nodes, links, congestion and marks.
Drawing drawn(const Panel& panel, const PanelMarks& marks, const Topology& topology, const Layout& layout);

}  // namespace vnode
