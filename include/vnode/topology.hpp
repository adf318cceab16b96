#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/rank.hpp>
#include <vnode/shape.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Names the rule that determines the links of the path from one node to another. Every path is a shortest
/// one.
enum class Routing {
  shortest,  ///< array, ring, full: the shorter path; if both are equal on a ring, clockwise (towards higher
             ///< ranks)
  xy,        ///< mesh, torus: dimension order, x (the fastest dimension) first; on a torus each by `shortest`
  yx,        ///< mesh, torus: the slowest dimension first. The reverse of a mesh's xy path is a yx path
  ecube,     ///< hypercube: the lowest differing bit first
  ecube_high,  ///< hypercube: the highest differing bit first
  tree,        ///< tree: up to the common switch, down to the leaf
};

namespace enums {
/// Returns "shortest", "xy", "yx", "ecube", "ecube_high" or "tree".
std::string_view name(Routing routing);
}
/// Returns the routings of a family, the default first.
std::span<const Routing> routings(Family family);
/// Returns the routing of that name; throws UsageError, which lists the names there are.
Routing parse_routing(std::string_view text);

/// Describes one direction of a link, by its vertices.
struct DirectedLink {
  int from = 0;  ///< the vertex it leaves
  int to = 0;    ///< the vertex it enters
  /// Compares both ends.
  friend bool operator==(const DirectedLink&, const DirectedLink&) = default;
};

/// Describes the direction of a port.
struct Port {
  int dimension = 0;  ///< the dimension of its link; in a tree the link's level: 0 at the leaves
  int step = 0;       ///< the change of the coordinate (wraparound: +1 or -1); in a tree +1 up, -1 down
  /// Compares dimension and step.
  friend bool operator==(const Port&, const Port&) = default;
};

/// Represents the interconnect that p virtual nodes form: a graph with named routings. It holds no tables,
/// and copies are cheap.
///
/// Vertices are the nodes 0 .. p-1 and, in a tree, the switches p .. 2p-2: top first, level by level from
/// left to right, as the leaves are by rank. Links join two vertices and have two directions, numbered 2l and
/// 2l + 1 for link l. Dimension i is digit i of the rank as its coordinates write it: dimension 0 (x) is the
/// fastest, in a hypercube and a tree bit 0. Extents and coordinates are listed as numbers are written,
/// slowest first. A ring of two nodes has one link, not two; so has each such ring of a torus.
class Topology {
 public:
  /// Gives a shape its number of nodes. A mesh or torus without extents gets the squarest factorisation in
  /// two dimensions, rows <= columns. Throws UsageError if `nodes` is not within 1 .. max_nodes
  /// (max_full_nodes if the shape is full) or not what the shape allows.
  Topology(const Shape& shape, int nodes);

  /// Returns the kind of topology.
  Family family() const { return family_; }
  /// Returns family and extents; with nodes() they make the same topology again.
  Shape shape() const;
  /// Returns the shape's text, extents included: "mesh:3x5".
  std::string text() const { return shape().text(); }
  /// Returns the number of nodes, p.
  int nodes() const { return nodes_; }
  /// Returns the number of nodes and switches.
  int vertices() const;
  /// Returns the number of dimensions: log2 p in a hypercube and a tree.
  int dimensions() const { return dimensions_; }
  /// Returns the extents of the dimensions, slowest first: all 2 in a hypercube and a tree; p itself in an
  /// array, a ring and a full topology.
  std::span<const int> extents() const { return {extents_.data(), static_cast<std::size_t>(dimensions_)}; }
  /// Returns the extent of dimension `dimension`, 0 being the fastest.
  int extent(int dimension) const;

  /// Returns the coordinates of a node, slowest dimension first; in a tree its turns (1: right) from the top
  /// down.
  std::vector<int> coordinates(Rank rank) const;
  /// Returns the coordinate of a node in dimension `dimension`, 0 being the fastest.
  int coordinate(Rank rank, int dimension) const;
  /// Returns the node with these coordinates, slowest dimension first. Throws UsageError if there is none.
  Rank rank_at(std::span<const int> coordinates) const;
  /// Returns the node with these coordinates, as the other form does.
  Rank rank_at(std::initializer_list<int> coordinates) const;

  /// Returns the number of a vertex's ports, one for each of its links.
  int degree(int vertex) const;
  /// Returns the vertex at the other end of port `port` (0 .. degree-1) of `vertex`. Ports are numbered by
  /// dimension, the fastest first, + before -, without those that do not exist: port i of a hypercube is
  /// dimension i. A switch has its left child, its right child, its parent; a node of a full topology has the
  /// others in rank order.
  int neighbour(int vertex, int port) const;
  /// Returns the dimension and direction of a port.
  Port port(int vertex, int port) const;
  /// Returns the name of a port for people: "+x", "-y", "dimension 3", "up", "left", "to 5".
  std::string port_name(int vertex, int port) const;

  /// Returns the number of links, both directions counted as one.
  int links() const;
  /// Returns the number of directed links: 2 links().
  int directed_links() const { return 2 * links(); }
  /// Returns the number, 0 .. directed_links()-1, of the directed link that leaves `vertex` through `port`.
  /// The opposite direction has this number XOR 1.
  int directed_link(int vertex, int port) const;
  /// Returns the port through which a directed link leaves its vertex, the inverse of directed_link(). A
  /// message that arrives by directed link l arrives at port_of(l ^ 1). Throws UsageError if there is no such
  /// link. O(dimensions).
  int port_of(int directed_link) const;
  /// Returns the ends of a directed link.
  DirectedLink ends(int directed_link) const;

  /// Returns the least number of links from a to b.
  int distance(Rank a, Rank b) const;
  /// Returns the greatest distance between two nodes.
  int diameter() const;
  /// Returns the least number of links, both directions counted as one, that join two halves of the nodes
  /// (for odd p the halves differ by one); 0 for p = 1. In a mesh or torus the halves are those of the
  /// row-major order, in the best order of dimensions.
  int bisection() const;

  /// Returns the default routing, the first of the family's.
  Routing default_routing() const { return routings(family_).front(); }
  /// Returns the numbers of the directed links from `from` to `to`, in order: distance(from, to) of them.
  /// Throws UsageError if a rank does not exist or the family has no such routing.
  std::vector<int> route(Rank from, Rank to, Routing routing) const;
  /// Returns the route by the default routing.
  std::vector<int> route(Rank from, Rank to) const { return route(from, to, default_routing()); }
  /// Appends the route to `links`, without allocating once its capacity suffices.
  void append_route(Rank from, Rank to, Routing routing, std::vector<int>& links) const;

  /// Compares family, nodes and extents.
  friend bool operator==(const Topology&, const Topology&) = default;

 private:
  Family family_;
  int nodes_;
  int dimensions_ = 0;
  std::array<int, max_dimensions> extents_{};
};

}  // namespace vnode
#pragma GCC visibility pop
