#include "draw/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

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

/// Holds neighbours that touch: the first is at the mean of what they want, each less its place in the block.
struct Block {
  double sum = 0;
  int count = 0;
  double position() const { return sum / count; }
};

}  // namespace

Point direction(Point from, Point to) { return (1 / std::max(length(to - from), 1e-9)) * (to - from); }

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

Point along(std::span<const Point> line, double fraction) {
  double all = 0;
  for (std::size_t i = 1; i < line.size(); ++i) all += length(line[i] - line[i - 1]);
  double rest = fraction * all;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const double step = length(line[i] - line[i - 1]);
    if (rest <= step) return line[i - 1] + rest * direction(line[i - 1], line[i]);
    rest -= step;
  }
  return line.back();
}

void move_apart(std::vector<Contact>& contacts, double gap) {
  constexpr double turn = 2 * std::numbers::pi;
  constexpr int most_passes = 60;
  const std::size_t n = contacts.size();
  if (n < 2) return;
  gap = std::min(gap, 0.98 * turn / static_cast<double>(n));
  for (Contact& contact : contacts) contact.angle -= turn * std::floor(contact.angle / turn);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t contact) { return contacts[contact].angle; });
  bool close = true;
  for (int pass = 0; close && pass < most_passes; ++pass) {
    close = false;
    for (std::size_t i = 0; i < n; ++i) {
      Contact &one = contacts[order[i]], &next = contacts[order[(i + 1) % n]];
      const double lack = gap - (next.angle - one.angle + (i + 1 == n ? turn : 0));
      if (lack < 1e-3 || (one.fixed && next.fixed)) continue;
      close = true;
      const double share = one.fixed ? 0 : next.fixed ? 1 : 0.5;
      one.angle -= share * lack;
      next.angle += (1 - share) * lack;
    }
  }
}

// Blocks of neighbours grow until no two touch (pooling of adjacent violators), in terms of i-th position
// less i gaps, which then has to ascend.
std::vector<double> spread(const std::vector<double>& wanted, double gap, double first, double last) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    blocks.push_back({wanted[i] - static_cast<double>(i) * gap, 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].position() >= blocks.back().position()) {
      const Block right = blocks.back();
      blocks.pop_back();
      blocks.back().sum += right.sum;
      blocks.back().count += right.count;
    }
  }
  const double most = last - static_cast<double>(std::max<std::size_t>(wanted.size(), 1) - 1) * gap;
  std::vector<double> positions;
  for (const Block& block : blocks)
    for (int i = 0; i < block.count; ++i)
      positions.push_back(std::max(std::min(block.position(), most), first) +
                          static_cast<double>(positions.size()) * gap);
  return positions;
}

}  // namespace vnode
