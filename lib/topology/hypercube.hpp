#pragma once

#include <string>
#include <vector>

#include <vnode/topology.hpp>

namespace vnode {

/// 2^d nodes; the link of dimension i joins two ranks that differ in bit i.
class Hypercube {
 public:
  explicit Hypercube(int dimensions) : dimensions_(dimensions) {}

  int vertices() const { return 1 << dimensions_; }
  int links() const { return dimensions_ * vertices() / 2; }
  int degree(int) const { return dimensions_; }
  Port port(int node, int index) const { return {index, (node >> index & 1) == 0 ? +1 : -1}; }
  std::string port_name(int node, int index) const;
  int directed_link(int node, int dimension) const;
  DirectedLink ends(int directed_link) const;
  int port_of(int directed_link) const;
  int distance(Rank a, Rank b) const;
  int diameter() const { return dimensions_; }
  int bisection() const { return vertices() / 2; }
  void append_route(Rank from, Rank to, Routing routing, std::vector<int>& links) const;

 private:
  int dimensions_;
};

}  // namespace vnode
