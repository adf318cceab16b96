#pragma once

#include <span>
#include <vector>

#include "draw/drawing.hpp"

namespace vnode {

/// Returns the unit vector from one point to another.
Point direction(Point from, Point to);
/// Returns the distance of p from the line between a and b.
double distance(Point p, Point a, Point b);
/// Returns the place at `fraction` of the length of a line.
Point along(std::span<const Point> line, double fraction);

/// Describes a disc that a line may not touch.
struct Obstacle {
  Point center = {};
  double reach = 0;
};
/// Returns the line, bent around the obstacles that it touches between its ends, on the side where it passes
/// them already: lines that pass one obstacle keep their order. The ends stay. O(points x obstacles).
std::vector<Point> detour(std::vector<Point> line, std::span<const Obstacle> obstacles);

/// Says where a line meets the edge of a node.
struct Contact {
  double angle = 0;    ///< in radians, any turn
  bool fixed = false;  ///< it stays there
};

/// Turns the contacts of one node away from each other, so that neighbours are `gap` apart as far as there is
/// room around the node and those that are fixed allow. They keep their order. O(n log n).
void move_apart(std::vector<Contact>& contacts, double gap);

/// Returns the positions nearest to `wanted` (in the sum of squares) that keep its order, ascending, and are
/// at least `gap` apart, between `first` and `last` as far as these leave room. O(n).
std::vector<double> spread(const std::vector<double>& wanted, double gap, double first, double last);

}  // namespace vnode
