#include "c/topology.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>

#include <vnode/error.hpp>

namespace vnode {
namespace {

/// Throws unless `value` is one of 0 .. count-1.
void check_number(const char* what, int value, int count) {
  if (value >= 0 && value < count) return;
  throw WrongArgument(fmt::format("there is no {} {}: {}s are 0 to {}", what, value, what, count - 1));
}
void check_port(const Topology& topology, int vertex, int port) {
  check_number("vertex", vertex, topology.vertices());
  check_number("port", port, topology.degree(vertex));
}

}  // namespace
}  // namespace vnode

using namespace vnode;

int vnode_topology_create(vnode_topology** topology, const char* shape, int nodes) {
  return entry([&] { put_handle(topology, Topology(Shape::parse(&needed(shape, "the shape")), nodes)); });
}

int vnode_topology_free(vnode_topology** topology) {
  return entry([&] { end_handle(topology); });
}

int vnode_topology_nodes(const vnode_topology* topology) {
  return entry([&] { return at_handle(topology).is.nodes(); });
}

int vnode_topology_vertices(const vnode_topology* topology) {
  return entry([&] { return at_handle(topology).is.vertices(); });
}

int vnode_topology_dimensions(const vnode_topology* topology) {
  return entry([&] { return at_handle(topology).is.dimensions(); });
}

int vnode_topology_extent(const vnode_topology* topology, int dimension) {
  return entry([&] {
    const Topology& of = at_handle(topology).is;
    check_number("dimension", dimension, of.dimensions());
    return of.extent(dimension);
  });
}

int vnode_topology_links(const vnode_topology* topology) {
  return entry([&] { return at_handle(topology).is.links(); });
}

int vnode_topology_diameter(const vnode_topology* topology) {
  return entry([&] { return at_handle(topology).is.diameter(); });
}

int vnode_topology_bisection(const vnode_topology* topology) {
  return entry([&] { return at_handle(topology).is.bisection(); });
}

int vnode_topology_distance(const vnode_topology* topology, int from, int to) {
  return entry([&] {
    const Topology& of = at_handle(topology).is;
    check_number("node", from, of.nodes());
    check_number("node", to, of.nodes());
    return of.distance(from, to);
  });
}

int vnode_topology_rank_at(const vnode_topology* topology, const int* coordinates) {
  return entry([&] {
    const Topology& of = at_handle(topology).is;
    const auto count = static_cast<std::size_t>(of.dimensions());
    if (count > 0) needed(coordinates, "the list of coordinates");
    return of.rank_at(std::span(coordinates, count));
  });
}

int vnode_topology_degree(const vnode_topology* topology, int vertex) {
  return entry([&] {
    const Topology& of = at_handle(topology).is;
    check_number("vertex", vertex, of.vertices());
    return of.degree(vertex);
  });
}

int vnode_topology_neighbour(const vnode_topology* topology, int vertex, int port) {
  return entry([&] {
    const Topology& of = at_handle(topology).is;
    check_port(of, vertex, port);
    return of.neighbour(vertex, port);
  });
}

int vnode_topology_directed_link(const vnode_topology* topology, int vertex, int port) {
  return entry([&] {
    const Topology& of = at_handle(topology).is;
    check_port(of, vertex, port);
    return of.directed_link(vertex, port);
  });
}

int vnode_topology_port_of(const vnode_topology* topology, int directed_link) {
  return entry([&] { return at_handle(topology).is.port_of(directed_link); });
}

int vnode_topology_coordinates(const vnode_topology* topology, int rank, int* coordinates) {
  return entry([&] {
    const Topology& of = at_handle(topology).is;
    check_number("node", rank, of.nodes());
    if (of.dimensions() > 0)
      std::ranges::copy(of.coordinates(rank), &needed(coordinates, "the list of coordinates"));
  });
}

int vnode_topology_port(const vnode_topology* topology, int vertex, int port, vnode_port* direction) {
  return entry([&] {
    const Topology& of = at_handle(topology).is;
    check_port(of, vertex, port);
    const Port is = of.port(vertex, port);
    needed(direction, "direction") = {is.dimension, is.step};
  });
}

int vnode_topology_ends(const vnode_topology* topology, int directed_link, int* from, int* to) {
  return entry([&] {
    const Topology& of = at_handle(topology).is;
    check_number("directed link", directed_link, of.directed_links());
    const DirectedLink ends = of.ends(directed_link);
    needed(from, "from") = ends.from;
    needed(to, "to") = ends.to;
  });
}

int vnode_topology_route(const vnode_topology* topology, int from, int to, const char* routing, int* links) {
  return entry([&] {
    const Topology& of = at_handle(topology).is;
    const std::vector<int> path =
        of.route(from, to, routing != nullptr ? parse_routing(routing) : of.default_routing());
    if (!path.empty()) std::ranges::copy(path, &needed(links, "the list of links"));
  });
}

int vnode_topology_text(const vnode_topology* topology, char** text) {
  return entry([&] { put_text(text, at_handle(topology).is.text()); });
}

int vnode_topology_port_name(const vnode_topology* topology, int vertex, int port, char** name) {
  return entry([&] {
    const Topology& of = at_handle(topology).is;
    check_port(of, vertex, port);
    put_text(name, of.port_name(vertex, port));
  });
}
