#pragma once

#include <span>
#include <vector>

#include "draw/drawing.hpp"

namespace vnode {

/// The distance of p from the line between a and b.
double distance(Point p, Point a, Point b);

/// What a line may not touch.
struct Obstacle {
  Point center = {};
  double reach = 0;
};

/// The line, bent around the obstacles that it touches between its ends, on the side where it passes them
/// already: lines that pass one obstacle keep their order. The ends stay. O(points x obstacles).
std::vector<Point> detour(std::vector<Point> line, std::span<const Obstacle> obstacles);

}  // namespace vnode
