#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include <vnode/topology.hpp>

#include "topology/axis.hpp"

namespace vnode {

/// The product of arrays, a mesh, or of rings, a torus. Array and ring are those of one dimension.
class Grid {
 public:
  /// `extents` slowest first.
  Grid(std::span<const int> extents, bool wraps);

  int vertices() const { return nodes_; }
  int links() const { return links_; }
  int degree(int node) const;
  Port port(int node, int index) const;
  std::string port_name(int node, int index) const;
  int directed_link(int node, int index) const;
  DirectedLink ends(int directed_link) const;
  int port_of(int directed_link) const;
  int distance(Rank a, Rank b) const;
  int diameter() const;
  int bisection() const;
  void append_route(Rank from, Rank to, Routing routing, std::vector<int>& links) const;

 private:
  struct Dimension {
    Axis axis;
    int stride = 1;      // between the ranks of neighbours
    int first_link = 0;  // links of a dimension are numbered together, axis by axis

    int coordinate(int node) const { return node / stride % axis.extent(); }
    int directed_link(int node, int at, int step) const;
  };

  /// Whose link it is.
  const Dimension& dimension_of(int link) const;
  std::span<const Dimension> dimensions() const { return {dimensions_.data(), count_}; }

  std::array<Dimension, max_dimensions> dimensions_;  // the fastest first
  std::size_t count_;
  int nodes_ = 1;
  int links_ = 0;
};

}  // namespace vnode
