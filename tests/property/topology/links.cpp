#include <algorithm>
#include <bit>
#include <doctest/doctest.h>

#include "all_topologies.hpp"

using vnode::Family;
using vnode::Topology;

namespace {

/// Returns whether two coordinates are next to each other on an array or ring of `extent` nodes.
bool adjacent(int a, int b, int extent, bool wraps) {
  const int apart = std::abs(a - b);
  return apart == 1 || (wraps && extent > 1 && apart == extent - 1);
}

/// Returns whether a link joins a and b, from the family's definition. In a tree: a is the parent of b, or b
/// of a.
bool linked(const Topology& t, int a, int b) {
  const bool wraps = t.family() == Family::ring || t.family() == Family::torus;
  switch (t.family()) {
    case Family::full:
      return a != b;
    case Family::hypercube:
      return std::popcount(static_cast<unsigned>(a ^ b)) == 1;
    case Family::tree: {
      const auto place = [&](int v) { return v < t.nodes() ? v + t.nodes() : v - t.nodes() + 1; };
      return place(a) / 2 == place(b) || place(b) / 2 == place(a);
    }
    default:
      break;
  }
  int differ = 0, next_to = 0;
  for (int i = 0; i < t.dimensions(); ++i) {
    differ += t.coordinate(a, i) != t.coordinate(b, i) ? 1 : 0;
    next_to += adjacent(t.coordinate(a, i), t.coordinate(b, i), t.extent(i), wraps) ? 1 : 0;
  }
  return differ == 1 && next_to == 1;
}

}  // namespace

TEST_CASE("ports lead to exactly the vertices that the family's definition links, each once") {
  for (const Topology& t : topologies_up_to(64)) {
    CAPTURE(t.text());
    CAPTURE(t.nodes());
    int wrong = 0;
    for (int v = 0; v < t.vertices(); ++v) {
      std::vector<int> by_definition, by_ports;
      for (int w = 0; w < t.vertices(); ++w)
        if (linked(t, v, w)) by_definition.push_back(w);
      for (int port = 0; port < t.degree(v); ++port) by_ports.push_back(t.neighbour(v, port));
      std::ranges::sort(by_ports);
      wrong += by_ports != by_definition ? 1 : 0;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("directed links are numbered densely, opposites differ in bit 0, their ends are their ports'") {
  for (const Topology& t : topologies_up_to(64)) {
    CAPTURE(t.text());
    CAPTURE(t.nodes());
    std::vector<int> seen(static_cast<std::size_t>(t.directed_links()));
    int wrong = 0;
    for (int v = 0; v < t.vertices(); ++v)
      for (int port = 0; port < t.degree(v); ++port) {
        const int link = t.directed_link(v, port);
        const vnode::DirectedLink ends = t.ends(link);
        ++seen.at(static_cast<std::size_t>(link));
        wrong += t.port_of(link) != port ? 1 : 0;
        wrong += ends != vnode::DirectedLink{v, t.neighbour(v, port)} ? 1 : 0;
        wrong += t.ends(link ^ 1) != vnode::DirectedLink{ends.to, ends.from} ? 1 : 0;
      }
    CHECK(wrong == 0);
    CHECK(std::ranges::count(seen, 1) == t.directed_links());
    CHECK(t.directed_links() == 2 * t.links());
  }
}

TEST_CASE("a port adds its step to the coordinate of its dimension and to no other") {
  for (const Topology& t : topologies_up_to(64)) {
    if (t.family() == Family::tree) continue;
    CAPTURE(t.text());
    CAPTURE(t.nodes());
    int wrong = 0;
    for (int v = 0; v < t.nodes(); ++v) {
      std::pair<int, int> last{-1, 0};
      for (int index = 0; index < t.degree(v); ++index) {
        const auto [dimension, step] = t.port(v, index);
        std::vector<int> moved = t.coordinates(v);
        int& coordinate = moved[static_cast<std::size_t>(t.dimensions() - 1 - dimension)];
        coordinate = (coordinate + step + t.extent(dimension)) % t.extent(dimension);
        wrong += t.rank_at(moved) != t.neighbour(v, index) ? 1 : 0;
        if (t.family() == Family::full) continue;
        const std::pair<int, int> now{dimension, -step};
        wrong += now <= last ? 1 : 0;  // by dimension, + before -
        last = now;
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("the ports of a tree tell the level of their link, the same at both ends") {
  for (int nodes = 1; nodes <= 64; nodes *= 2) {
    const Topology t(vnode::shapes::tree{}, nodes);
    for (int link = 0; link < t.directed_links(); ++link) {
      const auto port = [&](int number) {
        const vnode::DirectedLink ends = t.ends(number);
        int index = 0;
        while (t.neighbour(ends.from, index) != ends.to) ++index;
        return t.port(ends.from, index);
      };
      CHECK(port(link).dimension == port(link ^ 1).dimension);
      CHECK(port(link).step == -port(link ^ 1).step);
    }
    for (int leaf = 0; leaf < nodes && nodes > 1; ++leaf) CHECK(t.port(leaf, 0) == vnode::Port{0, +1});
  }
}

TEST_CASE("coordinates and ranks are each other's inverse, and text and nodes make the topology again") {
  for (const Topology& t : topologies_up_to(64)) {
    CAPTURE(t.text());
    int wrong = 0;
    for (int rank = 0; rank < t.nodes(); ++rank) {
      const std::vector<int> coordinates = t.coordinates(rank);
      wrong += t.rank_at(coordinates) != rank ? 1 : 0;
      for (int i = 0; i < t.dimensions(); ++i)
        wrong +=
            coordinates[static_cast<std::size_t>(t.dimensions() - 1 - i)] != t.coordinate(rank, i) ? 1 : 0;
    }
    CHECK(wrong == 0);
    CHECK(Topology(vnode::Shape::parse(t.text()), t.nodes()) == t);
  }
}

TEST_CASE("a hypercube is a torus and a mesh of twos, link by link") {
  for (int d = 2; d <= 8; ++d) {
    const std::vector<int> twos(static_cast<std::size_t>(d), 2);
    const Topology cube(vnode::shapes::hypercube{}, 1 << d);
    for (const Family family : {Family::mesh, Family::torus}) {
      const Topology grid(vnode::Shape(family, twos), 1 << d);
      CHECK(grid.directed_links() == cube.directed_links());
      CHECK(grid.bisection() == cube.bisection());
      for (int link = 0; link < cube.directed_links(); ++link) CHECK(grid.ends(link) == cube.ends(link));
    }
  }
}
