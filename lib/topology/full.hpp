#pragma once

#include <string>
#include <vector>

#include <vnode/topology.hpp>

namespace vnode {

/// A link between any two nodes.
class Full {
 public:
  explicit Full(int nodes) : nodes_(nodes) {}

  int vertices() const { return nodes_; }
  int links() const { return nodes_ * (nodes_ - 1) / 2; }
  int degree(int) const { return nodes_ - 1; }
  Port port(int node, int index) const { return {0, peer(node, index) - node}; }
  std::string port_name(int node, int index) const;
  int directed_link(int node, int index) const { return between(node, peer(node, index)); }
  DirectedLink ends(int directed_link) const;
  int port_of(int directed_link) const;
  int distance(Rank a, Rank b) const { return a == b ? 0 : 1; }
  int diameter() const { return nodes_ > 1 ? 1 : 0; }
  int bisection() const { return nodes_ / 2 * (nodes_ - nodes_ / 2); }
  void append_route(Rank from, Rank to, Routing routing, std::vector<int>& links) const;

 private:
  static int peer(int node, int index) { return index < node ? index : index + 1; }
  /// Links are numbered by their higher rank, then by the lower.
  static int between(int from, int to) {
    return from < to ? to * (to - 1) + 2 * from : from * (from - 1) + 2 * to + 1;
  }

  int nodes_;
};

}  // namespace vnode
