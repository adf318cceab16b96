#include "draw/ways.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <numbers>

#include <vnode/model/algorithms.hpp>

#include "draw/geometry.hpp"

using namespace vnode;

namespace {

// Holds the ways of an algorithm's messages, of each round by itself or of all.
struct Drawn {
  Topology topology;
  std::vector<std::vector<std::vector<int>>> panels = {};

  Drawn(std::string_view name, const std::string& shape, Parameters parameters, bool together)
      : topology(Shape::parse(shape), parameters.nodes) {
    if (topology.family() == Family::mesh || topology.family() == Family::torus)
      parameters.extents.assign(topology.extents().begin(), topology.extents().end());
    const Schedule schedule = algorithm(name).build(parameters);
    for (const Round& round : schedule.rounds()) {
      if (panels.empty() || !together) panels.emplace_back();
      for (const Transfer& message : messages(round))
        panels.back().push_back(topology.route(message.from, message.to, topology.default_routing()));
    }
  }
};

double nearest(Point p, const std::vector<Point>& line) {
  double least = 1e9;
  for (std::size_t i = 1; i < line.size(); ++i) least = std::min(least, distance(p, line[i - 1], line[i]));
  return least;
}

// Strokes that a node or switch hides, other than the ends of their message.
int hidden(const Drawn& drawn, double width) {
  const Arrangement arrangement = vnode::arrangement(drawn.topology, width);
  int count = 0;
  for (const auto& ways : drawn.panels) {
    const std::vector<std::vector<Point>> lines = lines_of(drawn.topology, arrangement, ways);
    for (std::size_t way = 0; way < ways.size(); ++way) {
      const int from = drawn.topology.ends(ways[way].front()).from,
                to = drawn.topology.ends(ways[way].back()).to;
      const std::vector<Point>& line = lines[way];
      for (int vertex = 0; vertex < drawn.topology.vertices(); ++vertex)
        count += vertex != from && vertex != to &&
                 nearest(arrangement.at[static_cast<std::size_t>(vertex)], line) <
                     arrangement.reach(drawn.topology, vertex);
    }
  }
  return count;
}

}  // namespace

TEST_CASE("no message passes behind a node or switch that is not its own") {
  for (const auto& given : {std::pair{"array", 16},
                            {"ring", 8},
                            {"mesh:4x4", 16},
                            {"mesh:2x3x2", 12},
                            {"torus:3x5", 15},
                            {"torus:4x4", 16},
                            {"torus:3x3x3", 27},
                            {"hypercube", 8},
                            {"hypercube", 16},
                            {"hypercube", 32},
                            {"tree", 8},
                            {"tree", 16}})
    for (const char* name :
         {"broadcast_binomial", "broadcast_linear", "all_to_all_direct", "all_gather_ring"})
      for (const bool together : {false, true}) {
        if (together && std::string_view(name).starts_with("all")) continue;
        CAPTURE(given.first);
        CAPTURE(given.second);
        CAPTURE(name);
        CAPTURE(together);
        CHECK(hidden(Drawn(name, given.first, {.nodes = given.second}, together), 560) == 0);
      }
}

TEST_CASE("the heads at a node keep apart, and each is on a straight piece as long as itself") {
  for (const auto& given : {std::tuple{"broadcast_mesh", "mesh:4x4", Parameters{.nodes = 16, .root = 9}},
                            {"broadcast_mesh", "mesh:4x4", Parameters{.nodes = 16}},
                            {"broadcast_recursive_splitting", "mesh:4x4", Parameters{.nodes = 16, .root = 5}},
                            {"broadcast_binomial", "tree", Parameters{.nodes = 16}},
                            {"broadcast_tree", "tree", Parameters{.nodes = 16}},
                            {"broadcast_binomial", "torus:4x4", Parameters{.nodes = 16}},
                            {"broadcast_hypercube", "hypercube", Parameters{.nodes = 16}}}) {
    CAPTURE(std::get<0>(given));
    CAPTURE(std::get<1>(given));
    const Drawn drawn(std::get<0>(given), std::get<1>(given), std::get<2>(given), true);
    const Arrangement arrangement = vnode::arrangement(drawn.topology, 500);
    const std::vector<std::vector<Point>> lines = lines_of(drawn.topology, arrangement, drawn.panels[0]);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      CHECK(length(lines[i].back() - lines[i][lines[i].size() - 2]) >= 0.99 * head_length(arrangement));
      for (std::size_t j = 0; j < lines.size(); ++j) {
        if (i == j) continue;
        CHECK(length(lines[i].back() - lines[j].back()) > 0.8 * head_length(arrangement));
        CHECK(length(lines[i].back() - lines[j].front()) > 0.6 * head_length(arrangement));
      }
    }
  }
}

TEST_CASE("a way that passes a node keeps away from the heads of arrows there") {
  for (const auto& given :
       {std::tuple{"broadcast_fences", "mesh:4x4", Parameters{.nodes = 16, .segments = 2}},
        {"broadcast_mesh", "mesh:4x4", Parameters{.nodes = 16}},
        {"broadcast_fences", "mesh:4x6", Parameters{.nodes = 24, .segments = 2}}}) {
    CAPTURE(std::get<0>(given));
    const Drawn drawn(std::get<0>(given), std::get<1>(given), std::get<2>(given), true);
    const Arrangement arrangement = vnode::arrangement(drawn.topology, 500);
    const std::vector<std::vector<int>>& ways = drawn.panels[0];
    const std::vector<std::vector<Point>> lines = lines_of(drawn.topology, arrangement, ways);
    for (std::size_t passing = 0; passing < ways.size(); ++passing) {
      if (ways[passing].size() == 1) continue;
      const std::vector<Point>& line = lines[passing];
      for (std::size_t way = 0; way < ways.size(); ++way)
        if (ways[way].size() == 1) {
          const std::vector<Point>& arrow = lines[way];
          const Point back = arrow[arrow.size() - 2] - arrow.back();
          const Point middle = arrow.back() + (0.5 * head_length(arrangement) / length(back)) * back;
          CHECK(nearest(middle, line) > 0.5 * head_length(arrangement));
        }
    }
  }
}

TEST_CASE("two ways that face each other leave room for the heads on other links of their nodes") {
  const Drawn drawn("broadcast_two_tree", "full", {.nodes = 8, .segments = 2}, true);
  const Arrangement arrangement = vnode::arrangement(drawn.topology, 500);
  const std::vector<std::vector<Point>> lines = lines_of(drawn.topology, arrangement, drawn.panels[0]);
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (std::size_t j = 0; j < lines.size(); ++j)
      if (i != j) {
        CHECK(length(lines[i].back() - lines[j].back()) > 0.6 * head_length(arrangement));
        CHECK(length(lines[i].back() - lines[j].front()) > 0.5 * head_length(arrangement));
      }
}

TEST_CASE("a way is drawn beside the links it uses: where a torus closes, outside") {
  const Topology topology(shapes::torus{3, 5}, 15);
  const Arrangement arrangement = vnode::arrangement(topology, 500);
  const std::vector<std::vector<int>> ways{topology.route(0, 8, topology.default_routing())};
  REQUIRE(ways[0].size() == 3);
  const std::vector<Point> line = lines_of(topology, arrangement, ways)[0];
  for (const int passed : {1, 2}) {
    const Point at = arrangement.at[static_cast<std::size_t>(passed)];
    CHECK(nearest(at, line) > 2.5 * arrangement.radius);
  }
  for (const Point point : line) {
    double least = 1e9;
    for (const int link : ways[0]) least = std::min(least, nearest(point, arrangement.along(topology, link)));
    CHECK(least < 2.5 * arrangement.radius);
  }
}

TEST_CASE("a way without a link is no line") {
  const Topology topology(shapes::ring{}, 4);
  const Arrangement arrangement = vnode::arrangement(topology, 500);
  const std::vector<std::vector<int>> ways{{}, topology.route(0, 1, topology.default_routing())};
  const std::vector<std::vector<Point>> lines = lines_of(topology, arrangement, ways);
  CHECK(lines[0].empty());
  CHECK(lines[1].size() == 2);
}

TEST_CASE("a line is bent around what it touches, on its own side, and keeps its ends") {
  const std::vector<Point> straight{{0, 0}, {100, 0}};
  const std::vector<Obstacle> clear{{{50, 20}, 10}};
  CHECK(detour(straight, clear) == straight);
  for (const double side : {-1.0, 1.0}) {
    const std::vector<Obstacle> near{{{50, 5 * side}, 10}};
    const std::vector<Point> bent = detour(straight, near);
    CHECK(bent.front() == straight.front());
    CHECK(bent.back() == straight.back());
    CHECK(nearest(near[0].center, bent) >= 10);
    CHECK(side * bent[1].y < 0);
  }
  CHECK(nearest({50, 0}, detour(straight, std::vector<Obstacle>{{{50, 0}, 10}})) >= 10);
  CHECK(nearest({50, 3}, detour({{0, 0}, {52, 0}, {100, 50}}, std::vector<Obstacle>{{{50, 3}, 10}})) >= 10);
}

TEST_CASE("contacts move apart as far as there is room, and fixed ones stay") {
  std::vector<Contact> three{{0.1}, {0.1}, {-0.1, true}};
  move_apart(three, 0.5);
  CHECK(three[2].angle == doctest::Approx(2 * std::numbers::pi - 0.1));
  CHECK(three[0].angle >= 0.399);
  CHECK(three[1].angle >= three[0].angle + 0.49);
  std::vector<Contact> many(20);
  move_apart(many, 1);
  for (std::size_t i = 0; i < many.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      CHECK(std::abs(std::remainder(many[i].angle - many[j].angle, 2 * std::numbers::pi)) > 0.2);
  std::vector<Contact> one{{7}};
  move_apart(one, 1);
  CHECK(one[0].angle == 7);
}
