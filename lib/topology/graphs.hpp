#pragma once

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include <vnode/topology.hpp>

namespace vnode {

/// Returns the number of bits it takes to write `n` >= 0.
inline int bit_width(int n) { return static_cast<int>(std::bit_width(static_cast<unsigned>(n))); }

/// Has a link between any two nodes.
class Full {
 public:
  explicit Full(int nodes) : nodes_(nodes) {}

  int vertices() const { return nodes_; }
  int links() const { return nodes_ * (nodes_ - 1) / 2; }
  int degree(int) const { return nodes_ - 1; }
  Port port(int node, int index) const { return {0, peer(node, index) - node}; }
  std::string port_name(int node, int index) const { return "to " + std::to_string(peer(node, index)); }
  int directed_link(int node, int index) const { return between(node, peer(node, index)); }
  DirectedLink ends(int directed_link) const {
    const int link = directed_link / 2;
    // high is the greatest with high (high - 1) / 2 <= link; doubles are exact here.
    const int high = static_cast<int>((1 + std::sqrt(1 + 8.0 * link)) / 2);
    const int low = link - high * (high - 1) / 2;
    return directed_link % 2 == 0 ? DirectedLink{low, high} : DirectedLink{high, low};
  }
  int port_of(int directed_link) const {
    const auto [from, to] = ends(directed_link);
    return to < from ? to : to - 1;
  }
  int distance(Rank a, Rank b) const { return a == b ? 0 : 1; }
  int diameter() const { return nodes_ > 1 ? 1 : 0; }
  int bisection() const { return nodes_ / 2 * (nodes_ - nodes_ / 2); }
  void append_route(Rank from, Rank to, Routing, std::vector<int>& links) const {
    if (from != to) links.push_back(between(from, to));
  }

 private:
  static int peer(int node, int index) { return index < node ? index : index + 1; }
  /// Links are numbered by their higher rank, then by the lower.
  static int between(int from, int to) {
    return from < to ? to * (to - 1) + 2 * from : from * (from - 1) + 2 * to + 1;
  }

  int nodes_;
};

/// Has 2^d nodes; the link of dimension i joins two ranks that differ in bit i.
class Hypercube {
 public:
  explicit Hypercube(int dimensions) : dimensions_(dimensions) {}

  int vertices() const { return 1 << dimensions_; }
  int links() const { return dimensions_ * vertices() / 2; }
  int degree(int) const { return dimensions_; }
  Port port(int node, int index) const { return {index, (node >> index & 1) == 0 ? +1 : -1}; }
  std::string port_name(int, int index) const { return "dimension " + std::to_string(index); }
  // Links are numbered by dimension, then by the rank without the dimension's bit.
  int directed_link(int node, int dimension) const {
    const int low = node & ((1 << dimension) - 1);
    const int high = node >> (dimension + 1) << dimension;
    return 2 * (dimension * vertices() / 2 + high + low) + (node >> dimension & 1);
  }
  DirectedLink ends(int directed_link) const {
    const int per_dimension = vertices() / 2;
    const int dimension = directed_link / 2 / per_dimension;
    const int squeezed = directed_link / 2 % per_dimension;
    const int low = squeezed & ((1 << dimension) - 1);
    const int from = (squeezed - low) * 2 + low + ((directed_link & 1) << dimension);
    return {from, from ^ 1 << dimension};
  }
  int port_of(int directed_link) const { return directed_link / vertices(); }
  int distance(Rank a, Rank b) const { return std::popcount(static_cast<unsigned>(a ^ b)); }
  int diameter() const { return dimensions_; }
  int bisection() const { return vertices() / 2; }
  void append_route(Rank from, Rank to, Routing routing, std::vector<int>& links) const {
    int node = from;
    while (node != to) {
      const int wrong = node ^ to;
      const int dimension = routing == Routing::ecube ? bit_width(wrong & -wrong) - 1 : bit_width(wrong) - 1;
      links.push_back(directed_link(node, dimension));
      node ^= 1 << dimension;
    }
  }

 private:
  int dimensions_;
};

/// Is a balanced binary tree: 2^d nodes at the leaves, switches inside. Inside it is a heap: place 1 is the
/// top, the children of place h are 2h and 2h + 1, rank r is at place p + r, and the link above place h is
/// number h - 2.
class Tree {
 public:
  explicit Tree(int levels) : levels_(levels) {}

  int vertices() const { return 2 * leaves() - 1; }
  int links() const { return vertices() - 1; }
  int degree(int vertex) const {
    const int children = is_leaf(vertex) ? 0 : 2;
    return place(vertex) == 1 ? children : children + 1;
  }
  Port port(int vertex, int index) const {
    const int level = height(place(vertex));
    return is_leaf(vertex) || index == above ? Port{level, +1} : Port{level - 1, -1};
  }
  std::string port_name(int vertex, int index) const {
    return is_leaf(vertex) || index == above ? "up" : index == left ? "left" : "right";
  }
  int directed_link(int vertex, int index) const {
    return is_leaf(vertex) || index == above ? up(place(vertex)) : down(2 * place(vertex) + index);
  }
  DirectedLink ends(int directed_link) const {
    const int place = directed_link / 2 + 2;
    const DirectedLink climb{vertex(place), vertex(place / 2)};
    return directed_link == up(place) ? climb : DirectedLink{climb.to, climb.from};
  }
  int port_of(int directed_link) const {
    const int place = directed_link / 2 + 2;  // the lower end's
    if (directed_link != up(place)) return place % 2;
    return is_leaf(vertex(place)) ? 0 : above;
  }
  int distance(Rank a, Rank b) const { return 2 * bit_width(a ^ b); }
  int diameter() const { return 2 * levels_; }
  int bisection() const { return levels_ > 0 ? 1 : 0; }
  void append_route(Rank from, Rank to, Routing, std::vector<int>& links) const {
    const int levels = distance(from, to) / 2;
    for (int level = 0; level < levels; ++level) links.push_back(up(place(from) >> level));
    for (int level = levels - 1; level >= 0; --level) links.push_back(down(place(to) >> level));
  }

 private:
  /// Lists a switch's ports, in order; a leaf has the last one only.
  enum SwitchPort { left, right, above };

  int leaves() const { return 1 << levels_; }
  bool is_leaf(int vertex) const { return vertex < leaves(); }
  int place(int vertex) const { return is_leaf(vertex) ? leaves() + vertex : vertex - leaves() + 1; }
  int vertex(int place) const { return place >= leaves() ? place - leaves() : leaves() + place - 1; }
  /// Returns the number of levels below a place.
  int height(int place) const { return levels_ + 1 - bit_width(place); }
  static int up(int place) { return 2 * (place - 2); }
  static int down(int place) { return 2 * (place - 2) + 1; }

  int levels_;
};

}  // namespace vnode
