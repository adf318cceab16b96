#pragma once

#include <string>
#include <vector>

#include <vnode/topology.hpp>

#include "draw/drawing.hpp"

namespace vnode {

/// Says where a picture puts the vertices of a topology and how its links run, in pixels.
struct Arrangement {
  std::vector<Point> at = {};  ///< by vertex
  double radius = 0;           ///< of a node; a switch is smaller
  std::vector<std::vector<Point>> bends =
      {};                   ///< by link: between its ends, from that of its direction 2l; few have any
  bool links_shown = true;  ///< a full topology of many nodes has too many of them
  std::vector<Rectangle> frames = {};  ///< around the nodes of each machine
  std::vector<Label> names = {};       ///< of the frames, and what nodes hold
  int digits = 0;                      ///< ranks are written with so many binary ones; 0: as decimal numbers

  /// Returns the distance from the middle of a vertex to its edge.
  double reach(const Topology& topology, int vertex) const {
    return vertex < topology.nodes() ? radius : radius * 0.55;
  }
  /// Returns the line along a direction of a link, from middle to middle.
  std::vector<Point> along(const Topology& topology, int directed_link) const;
};

/// Draws topologies as the textbook does: an array as a row, a ring as two, a mesh as a grid, a hypercube as
/// a cube or tesseract, a tree above its leaves; what has no picture of its own, as a circle, on which no
/// link passes through a node. The arrangement is about `width` wide. O(vertices + links).
Arrangement arrangement(const Topology& topology, double width);

/// Throws UsageError unless each of so many machines has as many of the nodes.
void check_machines(int nodes, int machines);

/// Puts the nodes of each of so many machines on a circle in a box of its own, and boxes beside each other in
/// rows. `full` is a full topology, whose links are not shown. The arrangement is about `width` wide.
Arrangement arrangement_on_machines(const Topology& full, int machines, double width);

/// Tells whether pictures of a topology are much wider than high: those of an array, a ring, a tree.
bool is_wide(const Topology& topology);
/// Returns how many binary digits a rank of the topology has.
int binary_digits(const Topology& topology);
/// Returns "3" for node 3, "s0" for the first switch.
std::string vertex_text(const Topology& topology, int vertex);

/// Draws the links, nodes and switches, with ranks where these can be read.
Drawing nodes_and_links(const Topology& topology, const Arrangement& arrangement);

}  // namespace vnode
