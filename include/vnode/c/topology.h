#pragma once

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// The interconnect that p virtual nodes form. Vertices are the nodes 0 .. p-1 and, in a tree, the switches p
/// .. 2p-2. Coordinates and extents are listed slowest dimension first; in port and extent numbers dimension
/// 0 is the fastest. vnode/topology.hpp says how ports and links are numbered. It is immutable; any thread
/// may use it.
typedef struct vnode_topology vnode_topology;

/// The direction of a port.
typedef struct vnode_port {
  int dimension;  ///< the dimension of its link; in a tree the link's level, 0 at the leaves
  int step;       ///< +1 or -1; in a tree +1 up, -1 down
} vnode_port;

/// Makes a topology: "array", "ring", "mesh", "mesh:4x4", "torus:2x3x4", "hypercube", "tree", "full", with so
/// many nodes.
int vnode_topology_create(vnode_topology** topology, const char* shape, int nodes);
/// Ends a topology.
int vnode_topology_free(vnode_topology** topology);

/// Return a number, or an error code.
int vnode_topology_nodes(const vnode_topology* topology);
int vnode_topology_vertices(const vnode_topology* topology);
int vnode_topology_dimensions(const vnode_topology* topology);
int vnode_topology_extent(const vnode_topology* topology, int dimension);
int vnode_topology_links(const vnode_topology* topology);
int vnode_topology_diameter(const vnode_topology* topology);
int vnode_topology_bisection(const vnode_topology* topology);
/// Returns the least number of links from one node to another.
int vnode_topology_distance(const vnode_topology* topology, int from, int to);
/// Returns the node with these coordinates, as many as there are dimensions, slowest first.
int vnode_topology_rank_at(const vnode_topology* topology, const int* coordinates);
/// Returns the number of a vertex's ports.
int vnode_topology_degree(const vnode_topology* topology, int vertex);
/// Returns the vertex at the other end of a port.
int vnode_topology_neighbour(const vnode_topology* topology, int vertex, int port);
/// Returns the number of the directed link that leaves `vertex` through `port`; the opposite one has it
/// XOR 1.
int vnode_topology_directed_link(const vnode_topology* topology, int vertex, int port);
/// Returns the port through which a directed link leaves its vertex.
int vnode_topology_port_of(const vnode_topology* topology, int directed_link);

/// Writes the coordinates of a node, as many as there are dimensions, slowest first.
int vnode_topology_coordinates(const vnode_topology* topology, int rank, int* coordinates);
/// Writes the direction of a port.
int vnode_topology_port(const vnode_topology* topology, int vertex, int port, vnode_port* direction);
/// Writes the vertices that a directed link leaves and enters.
int vnode_topology_ends(const vnode_topology* topology, int directed_link, int* from, int* to);
/// Writes the directed links of the path between two nodes, in order: vnode_topology_distance() of them.
/// `routing` is a name, "xy", or NULL for the default of the topology.
int vnode_topology_route(const vnode_topology* topology, int from, int to, const char* routing, int* links);
/// Returns the shape, extents included, "mesh:3x5"; vnode_text_free() frees it.
int vnode_topology_text(const vnode_topology* topology, char** text);
/// Returns the name of a port for people, "+x", "dimension 3"; vnode_text_free() frees it.
int vnode_topology_port_name(const vnode_topology* topology, int vertex, int port, char** name);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
