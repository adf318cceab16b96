#include <algorithm>
#include <array>
#include <bit>
#include <doctest/doctest.h>
#include <limits>

#include "all_topologies.hpp"

using vnode::Family;
using vnode::Topology;

namespace {

/// Calls visit(set) for every set of p/2 (rounded down) of p nodes, as bits.
template <class Visit>
void for_each_half(int p, Visit visit) {
  const unsigned end = 1U << p;
  for (unsigned half = (1U << p / 2) - 1; half < end;) {
    visit(half);
    if (half == 0) return;
    const unsigned lowest = half & -half,
                   ripple = half + lowest;  // the next greater number with as many bits
    half = ripple | ((half ^ ripple) >> 2) / lowest;
  }
}

/// Returns the links that join a set of nodes to the others, where there are no switches.
int cut(const std::vector<vnode::DirectedLink>& links, unsigned half) {
  int count = 0;
  for (const auto& [a, b] : links) count += (half >> a ^ half >> b) & 1 ? 1 : 0;
  return count;
}

/// Returns the least cut below and including a switch of a tree, by the side the switch is put on: children
/// first.
std::array<int, 2> least_cut(const Topology& tree, int vertex, unsigned half) {
  constexpr int never = 1 << 20;
  if (vertex < tree.nodes()) return (half >> vertex & 1) == 0 ? std::array{0, never} : std::array{never, 0};
  std::array<int, 2> cuts{};
  for (const int port : {0, 1}) {
    const std::array<int, 2> child = least_cut(tree, tree.neighbour(vertex, port), half);
    for (const std::size_t side : {0U, 1U}) cuts[side] += std::min(child[side], child[1 - side] + 1);
  }
  return cuts;
}

int brute_force(const Topology& t) {
  std::vector<vnode::DirectedLink> links;
  for (int link = 0; link < t.links(); ++link) links.push_back(t.ends(2 * link));
  int least = std::numeric_limits<int>::max();
  for_each_half(t.nodes(), [&](unsigned half) {
    least = std::min(least, t.family() == Family::tree ? std::ranges::min(least_cut(t, t.nodes(), half))
                                                       : cut(links, half));
  });
  return least;
}

}  // namespace

TEST_CASE("no halves of up to 16 nodes are joined by fewer links than the bisection, and some by as many") {
  for (const Topology& t : topologies_up_to(16)) {
    if (t.nodes() == 1) continue;
    CAPTURE(t.text());
    CAPTURE(t.nodes());
    CHECK(t.bisection() == brute_force(t));
  }
}

TEST_CASE("nor of greater ones, where odd extents and rings of two meet") {
  for (const char* text : {"mesh:3x6", "torus:3x6", "mesh:2x3x3", "torus:3x3x2", "torus:9x2", "mesh:4x5",
                           "torus:4x5", "torus:2x5x2", "mesh:5x2x2", "torus:10x2"}) {
    CAPTURE(text);
    const vnode::Shape shape = vnode::Shape::parse(text);
    const Topology t(shape, *shape.nodes());
    CHECK(t.bisection() == brute_force(t));
  }
}
