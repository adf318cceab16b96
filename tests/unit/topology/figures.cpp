#include <doctest/doctest.h>

#include <vnode/topology.hpp>

#include "message.hpp"

using vnode::Topology;

namespace {

std::vector<int> neighbours(const Topology& topology, int vertex) {
  std::vector<int> result;
  for (int port = 0; port < topology.degree(vertex); ++port)
    result.push_back(topology.neighbour(vertex, port));
  return result;
}

std::vector<std::string> port_names(const Topology& topology, int vertex) {
  std::vector<std::string> result;
  for (int port = 0; port < topology.degree(vertex); ++port)
    result.push_back(topology.port_name(vertex, port));
  return result;
}

using Vertices = std::vector<int>;
using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("the ends of an array have one neighbour, the ends of a ring each other") {
  const Topology array(vnode::shapes::array{}, 5);
  CHECK(neighbours(array, 0) == Vertices{1});
  CHECK(neighbours(array, 2) == Vertices{3, 1});
  CHECK(neighbours(array, 4) == Vertices{3});
  const Topology ring(vnode::shapes::ring{}, 5);
  CHECK(neighbours(ring, 0) == Vertices{1, 4});
  CHECK(neighbours(ring, 4) == Vertices{0, 3});
  CHECK(port_names(ring, 4) == Names{"+x", "-x"});
}

TEST_CASE("a ring of two nodes has one link, a ring of one has none") {
  const Topology two(vnode::shapes::ring{}, 2);
  CHECK(neighbours(two, 0) == Vertices{1});
  CHECK(neighbours(two, 1) == Vertices{0});
  CHECK(two.links() == 1);
  CHECK(Topology(vnode::shapes::ring{}, 1).links() == 0);
  CHECK(Topology(vnode::shapes::ring{}, 3).links() == 3);
}

TEST_CASE("a mesh is numbered row by row: first along the row (x), then the column (y)") {
  const Topology mesh(vnode::shapes::mesh{3, 4}, 12);
  CHECK(mesh.extent(0) == 4);
  CHECK(mesh.extent(1) == 3);
  CHECK(mesh.coordinates(6) == Vertices{1, 2});
  CHECK(mesh.coordinate(6, 0) == 2);
  CHECK(mesh.coordinate(6, 1) == 1);
  CHECK(mesh.rank_at({1, 2}) == 6);
  CHECK(neighbours(mesh, 6) == Vertices{7, 5, 10, 2});
  CHECK(port_names(mesh, 6) == Names{"+x", "-x", "+y", "-y"});
  CHECK(port_names(mesh, 0) == Names{"+x", "+y"});
  CHECK(port_names(mesh, 11) == Names{"-x", "-y"});
  CHECK(mesh.links() == 3 * 3 + 4 * 2);
}

TEST_CASE("a torus closes every row and column") {
  const Topology torus(vnode::shapes::torus{3, 4}, 12);
  CHECK(neighbours(torus, 0) == Vertices{1, 3, 4, 8});
  CHECK(neighbours(torus, 11) == Vertices{8, 10, 3, 7});
  CHECK(torus.links() == 24);
}

TEST_CASE("node (z q + y) q + x of a cube of nodes") {
  const Topology mesh(vnode::shapes::mesh{3, 3, 3}, 27);
  CHECK(mesh.coordinates(14) == Vertices{1, 1, 2});
  CHECK(port_names(mesh, 13) == Names{"+x", "-x", "+y", "-y", "+z", "-z"});
  CHECK(neighbours(mesh, 13) == Vertices{14, 12, 16, 10, 22, 4});
  CHECK(Topology(vnode::shapes::mesh{2, 1, 1, 1}, 2).port_name(0, 0) == "+dimension 3");
}

TEST_CASE("port i of a hypercube is dimension i, which is bit i") {
  const Topology cube(vnode::shapes::hypercube{}, 8);
  CHECK(cube.dimensions() == 3);
  CHECK(neighbours(cube, 5) == Vertices{4, 7, 1});
  CHECK(port_names(cube, 5) == Names{"dimension 0", "dimension 1", "dimension 2"});
  CHECK(cube.coordinates(6) == Vertices{1, 1, 0});
  CHECK(cube.links() == 12);
}

TEST_CASE("a tree has its nodes at the leaves and switches inside") {
  const Topology tree(vnode::shapes::tree{}, 4);
  CHECK(tree.vertices() == 7);
  CHECK(neighbours(tree, 0) == Vertices{5});
  CHECK(neighbours(tree, 3) == Vertices{6});
  CHECK(neighbours(tree, 4) == Vertices{5, 6});
  CHECK(neighbours(tree, 5) == Vertices{0, 1, 4});
  CHECK(neighbours(tree, 6) == Vertices{2, 3, 4});
  CHECK(port_names(tree, 3) == Names{"up"});
  CHECK(port_names(tree, 6) == Names{"left", "right", "up"});
  CHECK(tree.port(3, 0) == vnode::Port{0, +1});
  CHECK(tree.port(6, 0) == vnode::Port{0, -1});
  CHECK(tree.port(6, 2) == vnode::Port{1, +1});
  CHECK(tree.port(4, 1) == vnode::Port{1, -1});
  CHECK(tree.coordinates(1) == Vertices{0, 1});
}

TEST_CASE("full: one directed link per ordered pair") {
  const Topology full(vnode::shapes::full{}, 4);
  CHECK(full.directed_links() == 12);
  CHECK(neighbours(full, 2) == Vertices{0, 1, 3});
  CHECK(port_names(full, 2) == Names{"to 0", "to 1", "to 3"});
  CHECK(full.port(2, 0) == vnode::Port{0, -2});
}

TEST_CASE("the greatest topologies have numbers for all their links") {
  const Topology full(vnode::shapes::full{}, vnode::max_full_nodes);
  CHECK(full.directed_links() == 32768 * 32767);
  CHECK(full.ends(full.directed_links() - 1) == vnode::DirectedLink{32767, 32766});
  for (const int link : {0, 1, 123'456'789, 1'000'000'000, full.directed_links() - 2 * 32767})
    CHECK(full.route(full.ends(link).from, full.ends(link).to) == std::vector<int>{link});
  const Topology cube(vnode::shapes::hypercube{}, vnode::max_nodes);
  CHECK(cube.directed_links() == 20 * 1048576);
  CHECK(cube.route(0, 1048575).size() == 20);
  CHECK(cube.ends(cube.directed_links() - 1) == vnode::DirectedLink{1048575, 524287});
  const Topology tree(vnode::shapes::tree{}, vnode::max_nodes);
  CHECK(tree.route(0, 1048575).size() == 40);
  const Topology torus(vnode::shapes::torus{32, 32, 32, 32}, vnode::max_nodes);
  CHECK(torus.directed_links() == 8 * 1048576);
  CHECK(torus.route(0, torus.rank_at({16, 16, 16, 16})).size() == 64);
}

TEST_CASE("one node is every topology, without links") {
  for (const vnode::Family family : vnode::families()) {
    const Topology one(vnode::Shape(family), 1);
    CAPTURE(one.text());
    CHECK(one.vertices() == 1);
    CHECK(one.links() == 0);
    CHECK(one.degree(0) == 0);
    CHECK(one.diameter() == 0);
    CHECK(one.bisection() == 0);
    CHECK(one.distance(0, 0) == 0);
    CHECK(one.route(0, 0).empty());
    CHECK(one.rank_at(one.coordinates(0)) == 0);
  }
}

TEST_CASE("the book's table: diameter, bisection, links") {
  const auto check = [](const char* text, int nodes, int diameter, int bisection, int links) {
    const Topology topology(vnode::Shape::parse(text), nodes);
    CAPTURE(text);
    CHECK(topology.diameter() == diameter);
    CHECK(topology.bisection() == bisection);
    CHECK(topology.links() == links);
  };
  check("full", 64, 1, 64 * 64 / 4, 64 * 63 / 2);
  check("array", 64, 63, 1, 63);
  check("ring", 64, 32, 2, 64);
  check("mesh", 64, 2 * 7, 8, 2 * (64 - 8));
  check("torus", 64, 2 * 4, 2 * 8, 2 * 64);
  check("torus:4x4x4", 64, 3 * 2, 2 * 16, 3 * 64);
  check("hypercube", 64, 6, 32, 64 * 6 / 2);
  check("tree", 64, 2 * 6, 1, 126);
}

TEST_CASE("questions about what does not exist are refused") {
  const Topology mesh(vnode::shapes::mesh{3, 4}, 12);
  const Topology tree(vnode::shapes::tree{}, 4);
  CHECK(message([&] { mesh.degree(12); }) == "there is no vertex 12: the numbers are 0 to 11");
  CHECK(message([&] { tree.neighbour(7, 0); }) == "there is no vertex 7: the numbers are 0 to 6");
  CHECK(message([&] { mesh.neighbour(0, 2); }) == "there is no port 2: the numbers are 0 to 1");
  CHECK(message([&] { mesh.port(0, -1); }) == "there is no port -1: the numbers are 0 to 1");
  CHECK(message([&] { mesh.ends(34); }) == "there is no directed link 34: the numbers are 0 to 33");
  CHECK(message([&] { mesh.extent(2); }) == "there is no dimension 2: the numbers are 0 to 1");
  CHECK(message([&] { mesh.coordinates(-1); }) == "there is no node -1: the numbers are 0 to 11");
  CHECK(message([&] { mesh.coordinate(12, 0); }) == "there is no node 12: the numbers are 0 to 11");
  CHECK(message([&] { mesh.distance(0, 12); }) == "there is no node 12: the numbers are 0 to 11");
  CHECK(message([&] { tree.coordinates(4); }) == "there is no node 4: the numbers are 0 to 3");
  CHECK(message([&] { mesh.rank_at({3, 0}); }) == "mesh:3x4 has no node at (3,0): 3 is not within 0 to 2");
  CHECK(message([&] { mesh.rank_at({0, -1}); }) == "mesh:3x4 has no node at (0,-1): -1 is not within 0 to 3");
  CHECK(message([&] { mesh.rank_at({0}); }) == "a node of mesh:3x4 has 2 coordinates, not 1");
  CHECK(message([] { Topology(vnode::shapes::ring{}, 1).port(0, 0); }) ==
        "there is no port 0: there are none");
}
