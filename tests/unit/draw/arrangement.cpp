#include "draw/arrangement.hpp"

#include <algorithm>
#include <doctest/doctest.h>

using namespace vnode;

namespace {

double distance(Point p, Point a, Point b) {
  const Point step = b - a;
  const double square = step.x * step.x + step.y * step.y;
  const double t = square > 0 ? ((p.x - a.x) * step.x + (p.y - a.y) * step.y) / square : 0;
  return length(p - (a + std::min(1.0, std::max(0.0, t)) * step));
}

}  // namespace

TEST_CASE("no link passes through a node or switch that is not its end") {
  for (const auto& given :
       {std::pair{"array", 9}, {"array", 40},        {"ring", 3},       {"ring", 7},       {"ring", 8},
        {"ring", 32},          {"ring", 50},         {"mesh:4x4", 16},  {"mesh:2x9", 18},  {"mesh:3x3x3", 27},
        {"mesh:4x3x2", 24},    {"mesh:2x2x2x2", 16}, {"torus:4x4", 16}, {"torus:3x5", 15}, {"torus:2x2x2", 8},
        {"torus:3x3x3", 27},   {"hypercube", 2},     {"hypercube", 4},  {"hypercube", 8},  {"hypercube", 16},
        {"hypercube", 32},     {"tree", 2},          {"tree", 16},      {"full", 9}}) {
    const auto [text, nodes] = given;
    CAPTURE(given.first);
    CAPTURE(given.second);
    const Topology topology(Shape::parse(text), nodes);
    const Arrangement arrangement = vnode::arrangement(topology, 600);
    REQUIRE(arrangement.at.size() == static_cast<std::size_t>(topology.vertices()));
    for (int link = 0; link < topology.links(); ++link) {
      const DirectedLink ends = topology.ends(2 * link);
      const std::vector<Point> line = arrangement.along(topology, 2 * link);
      CHECK(line.front() == arrangement.at[static_cast<std::size_t>(ends.from)]);
      CHECK(line.back() == arrangement.at[static_cast<std::size_t>(ends.to)]);
      for (int vertex = 0; vertex < topology.vertices(); ++vertex)
        for (std::size_t i = 1; i < line.size() && vertex != ends.from && vertex != ends.to; ++i)
          CHECK(distance(arrangement.at[static_cast<std::size_t>(vertex)], line[i - 1], line[i]) >
                arrangement.reach(topology, vertex));
    }
  }
}

TEST_CASE("both directions of a link run along one line") {
  const Topology topology(shapes::torus{3, 4}, 12);
  const Arrangement arrangement = vnode::arrangement(topology, 500);
  for (int link = 0; link < topology.directed_links(); link += 2) {
    std::vector<Point> back = arrangement.along(topology, link + 1);
    std::ranges::reverse(back);
    CHECK(arrangement.along(topology, link) == back);
  }
}
