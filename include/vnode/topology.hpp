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

/// The rule that names the links of the way from one node to another. Every way is a shortest one.
enum class Routing {
  shortest,  ///< array, ring, full: the shorter way, on a ring's tie clockwise (towards higher ranks)
  xy,        ///< mesh, torus: dimension order, x (the fastest dimension) first; on a torus each by `shortest`
  yx,        ///< mesh, torus: the slowest dimension first. Reversed, a mesh's xy way is a yx way
  ecube,     ///< hypercube: the lowest differing bit first
  ecube_high,  ///< hypercube: the highest differing bit first
  tree,        ///< tree: up to the common switch, down to the leaf
};

/// "shortest", "xy", "yx", "ecube", "ecube_high", "tree".
std::string_view name(Routing routing);
/// The routings of a family, the default first.
std::span<const Routing> routings(Family family);
/// The routing of that name; UsageError lists the names there are.
Routing parse_routing(std::string_view text);

/// One direction of a link, by its vertices.
struct DirectedLink {
  int from = 0;  ///< the vertex it leaves
  int to = 0;    ///< the vertex it enters
  /// Equal ends.
  friend bool operator==(const DirectedLink&, const DirectedLink&) = default;
};

/// Where a port leads.
struct Port {
  int dimension = 0;  ///< of the link; in a tree its level: 0 at the leaves
  int step = 0;       ///< what it adds to the coordinate (wraparound: +1 or -1); in a tree +1 up, -1 down
  /// Equal dimension and step.
  friend bool operator==(const Port&, const Port&) = default;
};

/// The interconnect that p nodes pretend to have: a graph with named routings. A cheap value without tables.
///
/// Vertices are the nodes 0 .. p-1 and, in a tree, the switches p .. 2p-2: top first, level by level from
/// left to right, as the leaves are by rank. Links join two vertices and have two directions, numbered 2l and
/// 2l + 1 for link l. Dimension i is digit i of the rank as its coordinates write it: dimension 0 (x) is the
/// fastest, in a hypercube and a tree bit 0. Extents and coordinates are listed as numbers are written,
/// slowest first. A ring of two nodes has one link, not two; so has each such ring of a torus.
class Topology {
 public:
  /// UsageError if `nodes` is not within 1 .. max_nodes (max_full_nodes if it is full) or not what the shape
  /// allows. A bare mesh or torus gets the squarest factorisation in two dimensions, rows <= columns.
  Topology(const Shape& shape, int nodes);

  /// The kind of topology.
  Family family() const { return family_; }
  /// Its family and extents: with nodes() it makes the same topology again.
  Shape shape() const;
  /// The shape's text, extents included: "mesh:3x5".
  std::string text() const { return shape().text(); }
  /// p.
  int nodes() const { return nodes_; }
  /// Nodes and switches.
  int vertices() const;
  /// How many dimensions: log2 p in a hypercube and a tree.
  int dimensions() const { return dimensions_; }
  /// Their extents, slowest first: all 2 in a hypercube and a tree; p itself in an array, a ring and a full
  /// one.
  std::span<const int> extents() const { return {extents_.data(), static_cast<std::size_t>(dimensions_)}; }
  /// The extent of dimension `dimension`, 0 being the fastest.
  int extent(int dimension) const;

  /// The coordinates of a node, slowest dimension first; in a tree its turns (1: right) from the top down.
  std::vector<int> coordinates(Rank rank) const;
  /// Its coordinate in dimension `dimension`, 0 being the fastest.
  int coordinate(Rank rank, int dimension) const;
  /// The node with these coordinates, slowest dimension first. UsageError if there is none.
  Rank rank_at(std::span<const int> coordinates) const;
  /// The same.
  Rank rank_at(std::initializer_list<int> coordinates) const;

  /// The number of a vertex's ports, one for each of its links.
  int degree(int vertex) const;
  /// The vertex at the other end of port `port` (0 .. degree-1) of `vertex`. Ports are numbered by dimension,
  /// the fastest first, + before -, those that do not exist left out: port i of a hypercube is dimension i. A
  /// switch has its left child, its right child, its parent; a node of a full topology has the others in rank
  /// order.
  int neighbour(int vertex, int port) const;
  /// Dimension and direction of a port.
  Port port(int vertex, int port) const;
  /// For people: "+x", "-y", "dimension 3", "up", "left", "to 5".
  std::string port_name(int vertex, int port) const;

  /// The number of links, both directions counted as one.
  int links() const;
  /// The number of directions: 2 links().
  int directed_links() const { return 2 * links(); }
  /// The number, 0 .. directed_links()-1, of the direction that leaves `vertex` through `port`. The opposite
  /// direction has this number XOR 1.
  int directed_link(int vertex, int port) const;
  /// The port through which a direction leaves its vertex: directed_link(vertex, port) is that one. A message
  /// that comes in by direction l comes in at port_of(l ^ 1). UsageError if there is no such direction.
  /// O(dimensions).
  int port_of(int directed_link) const;
  /// The ends of the direction numbered `directed_link`.
  DirectedLink ends(int directed_link) const;

  /// The least number of links from a to b.
  int distance(Rank a, Rank b) const;
  /// The greatest distance.
  int diameter() const;
  /// The least number of links, both directions counted as one, that join two halves of the nodes (for odd p
  /// the halves differ by one). 0 for p = 1. In a mesh or torus the halves of the row-major order in the best
  /// order of dimensions.
  int bisection() const;

  /// The default routing: the first of the family's.
  Routing default_routing() const { return routings(family_).front(); }
  /// The numbers of the directed links from `from` to `to`, in order; distance(from, to) of them. UsageError
  /// if a rank does not exist or the family has no such routing.
  std::vector<int> route(Rank from, Rank to, Routing routing) const;
  /// The same by the default routing.
  std::vector<int> route(Rank from, Rank to) const { return route(from, to, default_routing()); }
  /// Appends the route to `links`: no allocation once its capacity suffices.
  void append_route(Rank from, Rank to, Routing routing, std::vector<int>& links) const;

  /// Equal family, nodes and extents.
  friend bool operator==(const Topology&, const Topology&) = default;

 private:
  Family family_;
  int nodes_;
  int dimensions_ = 0;
  std::array<int, max_dimensions> extents_{};
};

}  // namespace vnode
#pragma GCC visibility pop
