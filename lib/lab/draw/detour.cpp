#include "draw/detour.hpp"

#include <algorithm>

namespace vnode {

namespace {

Point nearest(Point p, Point a, Point b) {
  const Point step = b - a;
  const double square = step.x * step.x + step.y * step.y;
  const double t = square > 0 ? ((p.x - a.x) * step.x + (p.y - a.y) * step.y) / square : 0;
  return a + std::clamp(t, 0.0, 1.0) * step;
}

// Beyond the obstacle's edge, seen from its middle through `at`; a line through the middle of it passes on
// its right.
Point outside(const Obstacle& obstacle, Point at, Point a, Point b) {
  constexpr double beyond = 1.15, order = 0.15;
  Point away = at - obstacle.center;
  const double depth = length(away);
  if (depth < 1e-3 * obstacle.reach) away = Point{a.y - b.y, b.x - a.x};
  return obstacle.center + ((beyond * obstacle.reach + order * depth) / std::max(length(away), 1e-9)) * away;
}

}  // namespace

double distance(Point p, Point a, Point b) { return length(p - nearest(p, a, b)); }

std::vector<Point> detour(std::vector<Point> line, std::span<const Obstacle> obstacles) {
  constexpr int most_passes = 12;  // two obstacles that touch have no way between them
  bool bent = true;
  for (int pass = 0; bent && pass < most_passes; ++pass) {
    bent = false;
    for (std::size_t i = 1; i < line.size(); ++i)
      for (const Obstacle& obstacle : obstacles) {
        const Point a = line[i - 1], b = line[i];
        const Point at = nearest(obstacle.center, a, b);
        if (length(at - obstacle.center) >= obstacle.reach) continue;
        const Point bend = outside(obstacle, at, a, b);
        if (at == b && i + 1 < line.size())
          line[i] = bend;
        else if (at == a && i > 1)
          line[i - 1] = bend;
        else if (at != a && at != b)
          line.insert(line.begin() + static_cast<std::ptrdiff_t>(i), bend);
        else
          continue;
        bent = true;
      }
  }
  return line;
}

}  // namespace vnode
