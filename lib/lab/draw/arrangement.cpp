#include "draw/arrangement.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include <vnode/error.hpp>
#include <vnode/model/gray_code.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"

namespace vnode {
namespace {

constexpr int widest_row = 16;  // nodes of an array or a ring side by side

// Places go counter-clockwise from the lower left, so that the right-hand side of ascending ranks is outside.
Point on_circle(int place, int places) {
  const double angle = std::numbers::pi * (1.25 + 2.0 * place / places);
  return {0.5 * std::cos(angle), -0.5 * std::sin(angle)};
}

Point in_snake(int place) {
  const int row = place / widest_row, column = place % widest_row;
  return {static_cast<double>(row % 2 == 0 ? column : widest_row - 1 - column), 1.0 * row};
}

// The lower row holds the first half, the upper one the rest from right to left. At least 4 places.
Point in_two_rows(int place, int places) {
  const int lower = (places + 1) / 2, upper = places - lower;
  if (place < lower) return {1.0 * place, 1};
  return {(lower - 1.0) * (1 - (place - lower) / (upper - 1.0)), 0};
}

// Rows and columns; a third dimension goes back, on the diagonal between two nodes of the first plane.
Point in_grid(const Topology& topology, Rank rank) {
  Point at{1.0 * topology.coordinate(rank, 0), 1.0 * topology.coordinate(rank, 1)};
  if (topology.dimensions() > 2)
    at = at + (0.95 * topology.coordinate(rank, 2) / topology.extent(2)) * Point{1, -1};
  return at;
}

constexpr int most_in_cubes = 6;  // dimensions; a hypercube of more is a circle

// Up to three dimensions a cube; the fourth leads to a smaller one inside. Of five or six dimensions the last
// lead to cubes beside it, above it and behind it. The numbers keep links away from nodes.
Point in_cube(int rank, int dimensions) {
  if (dimensions > 4)
    return in_cube(rank & 7, 3) + (rank >> 3 & 1) * Point{3.5, 0.45} + (rank >> 4 & 1) * Point{0.4, -3.1} +
           (rank >> 5 & 1) * Point{1.9, -1.4};
  const Point back{0.54, -0.24};
  Point at{1.0 * (rank & 1), -1.0 * (rank >> 1 & 1)};
  if ((rank >> 2 & 1) != 0) at = at + back;
  if (dimensions == 4 && (rank >> 3 & 1) != 0) {
    const Point middle = 0.5 * (Point{1, -1} + back);
    at = middle + 0.44 * (at - middle);
  }
  return at;
}

// Puts leaves in a row, and every switch above the middle of its children.
std::vector<Point> in_tree(const Topology& topology) {
  const int p = topology.nodes();
  std::vector<Point> points(static_cast<std::size_t>(topology.vertices()));
  for (Rank rank = 0; rank < p; ++rank) at(points, rank) = {1.0 * rank, 0};
  const double rise = std::max(0.8, p / 16.0);
  for (int vertex = topology.vertices() - 1; vertex >= p; --vertex) {
    const Point left = at(points, topology.neighbour(vertex, 0));
    const Point right = at(points, topology.neighbour(vertex, 1));
    at(points, vertex) = {(left.x + right.x) / 2, left.y - rise};
  }
  return points;
}

bool as_grid(const Topology& topology) {
  const auto extents = topology.extents();
  const bool straight = topology.family() == Family::mesh || std::ranges::max(extents) <= 2;
  return extents.size() == 2 || (extents.size() == 3 && straight && extents[0] <= 4);
}

std::vector<Point> places(const Topology& topology) {
  const int p = topology.nodes();
  if (topology.family() == Family::tree) return in_tree(topology);
  std::vector<Point> at;
  for (Rank rank = 0; rank < p; ++rank) {
    switch (topology.family()) {
      case Family::array:
        at.push_back(in_snake(rank));
        break;
      case Family::ring:
        at.push_back(p >= 4 && p <= 2 * widest_row ? in_two_rows(rank, p) : on_circle(rank, p));
        break;
      case Family::mesh:
      case Family::torus:
        at.push_back(as_grid(topology) ? in_grid(topology, rank) : on_circle(rank, p));
        break;
      case Family::hypercube:
        at.push_back(topology.dimensions() <= most_in_cubes ? in_cube(rank, topology.dimensions())
                                                            : on_circle(gray_decode(rank), p));
        break;
      case Family::full:
      case Family::tree:
        at.push_back(on_circle(rank, p));
    }
  }
  return at;
}

// Returns the least distance of two vertices: in order of x, each is compared with those near it only.
double closest(std::vector<Point> at) {
  std::ranges::sort(at, {}, &Point::x);
  double least = 1e9;
  for (std::size_t i = 0; i < at.size(); ++i)
    for (std::size_t j = i + 1; j < at.size() && at[j].x - at[i].x < least; ++j)
      least = std::min(least, length(at[j] - at[i]));
  return least;
}

// Where a ring closes, the link goes round the nodes between its ends.
std::vector<Point> around(Point from, Point to, double closeness) {
  const Point along = (1 / length(to - from)) * (to - from);
  const Point side{-0.36 * closeness * along.y, 0.36 * closeness * along.x};
  return {from + 0.3 * closeness * along + side, to - 0.3 * closeness * along + side};
}

bool closes_a_ring(const Topology& topology, int link) {
  if (topology.family() != Family::torus || !as_grid(topology)) return false;
  const DirectedLink ends = topology.ends(2 * link);
  for (int dimension = 0; dimension < topology.dimensions(); ++dimension)
    if (std::abs(topology.coordinate(ends.from, dimension) - topology.coordinate(ends.to, dimension)) > 1)
      return true;
  return false;
}

void label_node(Drawing& drawing, Rank rank, Point at, double radius, int digits) {
  const std::string text = digits > 0 ? fmt::format("{:0{}b}", rank, digits) : std::to_string(rank);
  const double size = std::min(13.0, 1.7 * radius / std::max(1.1, width_of(text, 1)));
  if (size >= 7.5)
    drawing.labels.push_back({.text = text, .at = at, .size = size, .ink = ink(Ink::text), .bold = false});
}

}  // namespace

std::vector<Point> Arrangement::along(const Topology& topology, int directed_link) const {
  const DirectedLink ends = topology.ends(directed_link);
  std::vector<Point> points{vnode::at(at, ends.from)};
  if (const auto link = static_cast<std::size_t>(directed_link / 2); link < bends.size()) {
    if (directed_link % 2 == 0)
      points.insert(points.end(), bends[link].begin(), bends[link].end());
    else
      points.insert(points.end(), bends[link].rbegin(), bends[link].rend());
  }
  points.push_back(vnode::at(at, ends.to));
  return points;
}

Arrangement arrangement(const Topology& topology, double width) {
  Arrangement arrangement{.at = places(topology)};
  const auto [left, right] = std::ranges::minmax(arrangement.at, {}, &Point::x);
  const auto [top, bottom] = std::ranges::minmax(arrangement.at, {}, &Point::y);
  constexpr double widest_step = 120, tallest = 0.8;
  const double near = topology.vertices() > 1 ? closest(arrangement.at) : 1;
  double scale =
      std::min(width / std::max(right.x - left.x, 1e-9), tallest * width / std::max(bottom.y - top.y, 1e-9));
  if (is_wide(topology) || topology.dimensions() == 2 || topology.vertices() <= 3)
    scale = std::min(scale, widest_step / near);
  for (Point& point : arrangement.at) point = scale * point;
  const double share = topology.family() == Family::hypercube && topology.dimensions() == 4 ? 0.26 : 0.17;
  arrangement.radius = std::clamp(share * near * scale, 1.5, 14.0);
  if (topology.family() == Family::torus &&
      !as_grid(topology)) {  // where a ring of 3 closes, a link passes its middle
    const double passing = 0.5 * scale * (1 - std::cos(2 * std::numbers::pi / topology.nodes()));
    arrangement.radius = std::clamp(0.8 * passing, 1.5, arrangement.radius);
  }
  arrangement.links_shown = topology.family() != Family::full || topology.nodes() <= 10;
  if (topology.family() == Family::torus)
    for (int link = 0; link < topology.links(); ++link) {
      const DirectedLink ends = topology.ends(2 * link);
      const Point from = at(arrangement.at, ends.from);
      const Point to = at(arrangement.at, ends.to);
      arrangement.bends.push_back(closes_a_ring(topology, link) ? around(from, to, near * scale)
                                                                : std::vector<Point>{});
    }
  return arrangement;
}

void check_machines(int nodes, int machines) {
  if (machines < 1 || nodes % machines != 0)
    throw UsageError(
        fmt::format("{} cannot be drawn on {} machines, as many on each", counted(nodes, "node"), machines));
}

// Boxes one unit wide and high, with a gap between them; in them the nodes on a circle that is turned a
// little from box to box, so that few lines pass through a third node.
Arrangement arrangement_on_machines(const Topology& full, int machines, double width) {
  const int each = full.nodes() / machines;
  const int columns = machines <= 4 ? machines : static_cast<int>(std::ceil(std::sqrt(1.5 * machines)));
  constexpr double gap = 0.35, inner = 0.33, heading = 0.12;
  const double unit = std::min(width / (columns + gap * (columns - 1)), 260.0);
  Arrangement arrangement{
      .radius =
          std::clamp(unit * (each == 1 ? 0.12 : 0.75 * inner * std::sin(std::numbers::pi / each)), 1.5, 14.0),
      .links_shown = false};
  for (int machine = 0; machine < machines; ++machine) {
    const Point corner{(1 + gap) * (machine % columns), (1 + gap) * (machine / columns)};
    const Point middle = corner + Point{0.5, 0.5 + heading / 2};
    for (int node = 0; node < each; ++node) {
      const double angle = std::numbers::pi * (1.25 + 2.0 * node / each) + 0.11 * machine;
      const Point away = each == 1 ? Point{} : inner * Point{std::cos(angle), -std::sin(angle)};
      arrangement.at.push_back(unit * (middle + away));
    }
    const Point at = unit * corner;
    arrangement.frames.push_back({{at.x, at.y, unit, unit}, ink(Ink::link), ink(Ink::background), 6});
    arrangement.names.push_back({.text = "machine " + std::to_string(machine),
                                 .at = at + Point{8, 12},
                                 .size = std::clamp(unit / 12, 7.0, 12.0),
                                 .anchor = Anchor::start,
                                 .ink = ink(Ink::faint)});
  }
  return arrangement;
}

bool is_wide(const Topology& topology) {
  return topology.family() == Family::array || topology.family() == Family::ring ||
         topology.family() == Family::tree;
}

int binary_digits(const Topology& topology) {
  return std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(topology.nodes() - 1))));
}

std::string vertex_text(const Topology& topology, int vertex) {
  return vertex < topology.nodes() ? std::to_string(vertex) : 's' + std::to_string(vertex - topology.nodes());
}

Drawing nodes_and_links(const Topology& topology, const Arrangement& arrangement) {
  Drawing drawing;
  drawing.rectangles = arrangement.frames;
  drawing.labels = arrangement.names;
  for (int link = 0; arrangement.links_shown && link < topology.links(); ++link)
    drawing.strokes.push_back({.points = arrangement.along(topology, 2 * link),
                               .ink = ink(Ink::link),
                               .width = arrangement.radius > 6 ? 1.5 : 0.8,
                               .rounding = 1.5 * arrangement.radius});
  for (int vertex = 0; vertex < topology.vertices(); ++vertex) {
    const Point at = arrangement.at[static_cast<std::size_t>(vertex)];
    const double reach = arrangement.reach(topology, vertex);
    drawing.discs.push_back(
        {at, reach, ink(Ink::node), vertex < topology.nodes() ? ink(Ink::face) : ink(Ink::link)});
    if (vertex < topology.nodes()) label_node(drawing, vertex, at, reach, arrangement.digits);
  }
  return drawing;
}

}  // namespace vnode
