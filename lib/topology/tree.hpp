#pragma once

#include <string>
#include <vector>

#include <vnode/topology.hpp>

namespace vnode {

/// A balanced binary tree: 2^d nodes at the leaves, switches inside. Inside it is a heap: place 1 is the top,
/// the children of place h are 2h and 2h + 1, rank r is at place p + r, and the link above place h is number
/// h - 2.
class Tree {
 public:
  explicit Tree(int levels) : levels_(levels) {}

  int vertices() const { return 2 * leaves() - 1; }
  int links() const { return vertices() - 1; }
  int degree(int vertex) const;
  Port port(int vertex, int index) const;
  std::string port_name(int vertex, int index) const;
  int directed_link(int vertex, int index) const;
  DirectedLink ends(int directed_link) const;
  int port_of(int directed_link) const;
  int distance(Rank a, Rank b) const;
  int diameter() const { return 2 * levels_; }
  int bisection() const { return levels_ > 0 ? 1 : 0; }
  void append_route(Rank from, Rank to, Routing routing, std::vector<int>& links) const;

 private:
  int leaves() const { return 1 << levels_; }
  bool is_leaf(int vertex) const { return vertex < leaves(); }
  int place(int vertex) const { return is_leaf(vertex) ? leaves() + vertex : vertex - leaves() + 1; }
  int vertex(int place) const { return place >= leaves() ? place - leaves() : leaves() + place - 1; }
  /// The levels below a place.
  int height(int place) const;
  static int up(int place) { return 2 * (place - 2); }
  static int down(int place) { return 2 * (place - 2) + 1; }

  int levels_;
};

}  // namespace vnode
