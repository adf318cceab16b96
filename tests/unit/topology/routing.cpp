#include <doctest/doctest.h>

#include <vnode/topology.hpp>

#include "message.hpp"

using vnode::Routing;
using vnode::Shape;
using vnode::Topology;

namespace {

/// Returns the vertices that a route visits, from its start to its end.
std::vector<int> way(const Topology& topology, int from, int to, Routing routing) {
  std::vector<int> vertices{from};
  for (const int link : topology.route(from, to, routing)) vertices.push_back(topology.ends(link).to);
  return vertices;
}

using Vertices = std::vector<int>;

}  // namespace

TEST_CASE("a ring is gone the shorter way round, on a tie clockwise") {
  const Topology ring(vnode::shapes::ring{}, 8);
  CHECK(way(ring, 1, 7, Routing::shortest) == Vertices{1, 0, 7});
  CHECK(way(ring, 6, 1, Routing::shortest) == Vertices{6, 7, 0, 1});
  CHECK(way(ring, 6, 2, Routing::shortest) == Vertices{6, 7, 0, 1, 2});
  CHECK(way(ring, 2, 6, Routing::shortest) == Vertices{2, 3, 4, 5, 6});
}

TEST_CASE("xy goes along the row first, yx along the column") {
  const Topology mesh(vnode::shapes::mesh{3, 4}, 12);
  CHECK(way(mesh, 9, 3, Routing::xy) == Vertices{9, 10, 11, 7, 3});
  CHECK(way(mesh, 9, 3, Routing::yx) == Vertices{9, 5, 1, 2, 3});
  const Topology torus(vnode::shapes::torus{3, 4}, 12);
  CHECK(way(torus, 0, 11, Routing::xy) == Vertices{0, 3, 11});
  CHECK(way(torus, 0, 11, Routing::yx) == Vertices{0, 8, 11});
  CHECK(way(torus, 1, 7, Routing::xy) == Vertices{1, 2, 3, 7});
  const Topology cube_of_nodes(vnode::shapes::mesh{2, 2, 2}, 8);
  CHECK(way(cube_of_nodes, 0, 7, Routing::xy) == Vertices{0, 1, 3, 7});
  CHECK(way(cube_of_nodes, 0, 7, Routing::yx) == Vertices{0, 4, 6, 7});
}

TEST_CASE("E-cube corrects the lowest differing bit first, ecube_high the highest") {
  const Topology cube(vnode::shapes::hypercube{}, 16);
  CHECK(way(cube, 2, 13, Routing::ecube) == Vertices{2, 3, 1, 5, 13});
  CHECK(way(cube, 2, 13, Routing::ecube_high) == Vertices{2, 10, 14, 12, 13});
}

TEST_CASE("a message climbs to the common switch and no further") {
  const Topology tree(vnode::shapes::tree{}, 8);
  CHECK(way(tree, 2, 3, Routing::tree) == Vertices{2, 12, 3});
  CHECK(way(tree, 1, 2, Routing::tree) == Vertices{1, 11, 9, 12, 2});
  CHECK(way(tree, 7, 0, Routing::tree) == Vertices{7, 14, 10, 8, 9, 11, 0});
}

TEST_CASE("routes are appended to what is there") {
  const Topology array(vnode::shapes::array{}, 4);
  std::vector<int> links{-7};
  array.append_route(0, 2, Routing::shortest, links);
  array.append_route(2, 1, Routing::shortest, links);
  array.append_route(3, 3, Routing::shortest, links);
  CHECK(links == std::vector<int>{-7, 0, 2, 3});
}

TEST_CASE("every family has a default routing and refuses those of others") {
  const auto first = [](const char* text) { return Topology(Shape::parse(text), 4).default_routing(); };
  CHECK(first("array") == Routing::shortest);
  CHECK(first("ring") == Routing::shortest);
  CHECK(first("mesh") == Routing::xy);
  CHECK(first("torus") == Routing::xy);
  CHECK(first("hypercube") == Routing::ecube);
  CHECK(first("tree") == Routing::tree);
  CHECK(first("full") == Routing::shortest);
  const auto refusal = [](const char* text, Routing routing) {
    return message([=] { Topology(Shape::parse(text), 4).route(0, 1, routing); });
  };
  CHECK(refusal("ring", Routing::xy) == "ring has no routing xy: it has shortest");
  CHECK(refusal("mesh", Routing::ecube) == "mesh has no routing ecube: it has xy and yx");
  CHECK(refusal("hypercube", Routing::tree) == "hypercube has no routing tree: it has ecube and ecube_high");
  CHECK(message([] { Topology(vnode::shapes::ring{}, 4).route(0, 4); }) ==
        "there is no node 4: the numbers are 0 to 3");
  CHECK(message([] { Topology(vnode::shapes::tree{}, 4).route(-1, 0); }) ==
        "there is no node -1: the numbers are 0 to 3");
}

TEST_CASE("routings have names") {
  for (const vnode::Family family : vnode::families())
    for (const Routing routing : vnode::routings(family))
      CHECK(vnode::parse_routing(vnode::enums::name(routing)) == routing);
  CHECK(message([] { vnode::parse_routing("zigzag"); }) ==
        "there is no routing \"zigzag\": there are shortest, xy, yx, ecube, ecube_high and tree");
}
