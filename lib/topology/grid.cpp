#include "topology/grid.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace vnode {

Grid::Grid(std::span<const int> extents, bool wraps) : count_(extents.size()) {
  int nodes = 1;
  for (const int extent : extents) nodes *= extent;
  for (std::size_t i = 0; i < count_; ++i) {
    const Axis axis(extents[count_ - 1 - i], wraps);
    dimensions_[i] = {axis, nodes_, links_};
    nodes_ *= axis.extent();
    links_ += nodes / axis.extent() * axis.links();
  }
}

int Grid::Dimension::directed_link(int node, int at, int step) const {
  const int line = node / (stride * axis.extent()) * stride + node % stride;
  return 2 * (first_link + line * axis.links() + axis.link(at, step)) + (step > 0 ? 0 : 1);
}

int Grid::degree(int node) const {
  int degree = 0;
  for (const Dimension& d : dimensions())
    for (const int step : {+1, -1}) degree += d.axis.has_link(d.coordinate(node), step) ? 1 : 0;
  return degree;
}

Port Grid::port(int node, int index) const {
  for (std::size_t i = 0; i < count_; ++i)
    for (const int step : {+1, -1})
      if (dimensions_[i].axis.has_link(dimensions_[i].coordinate(node), step) && index-- == 0)
        return {static_cast<int>(i), step};
  return {};
}

std::string Grid::port_name(int node, int index) const {
  const auto [dimension, step] = port(node, index);
  const char sign = step > 0 ? '+' : '-';
  return dimension < 3 ? fmt::format("{}{}", sign, "xyz"[dimension])
                       : fmt::format("{}dimension {}", sign, dimension);
}

int Grid::directed_link(int node, int index) const {
  const auto [dimension, step] = port(node, index);
  const Dimension& d = dimensions_[static_cast<std::size_t>(dimension)];
  return d.directed_link(node, d.coordinate(node), step);
}

const Grid::Dimension& Grid::dimension_of(int link) const {
  const auto next =
      std::ranges::find_if(dimensions(), [=](const Dimension& d) { return d.first_link > link; });
  // Dimensions without links share their first number with the next: the last one that has it owns it.
  return *(next - 1);
}

DirectedLink Grid::ends(int directed_link) const {
  const int link = directed_link / 2;
  const Dimension& d = dimension_of(link);
  const int line = (link - d.first_link) / d.axis.links();
  const int at = (link - d.first_link) % d.axis.links();
  const int start = line / d.stride * d.stride * d.axis.extent() + line % d.stride;
  const int low = start + at * d.stride;
  const int high = start + d.axis.after(at, +1) * d.stride;
  return directed_link % 2 == 0 ? DirectedLink{low, high} : DirectedLink{high, low};
}

int Grid::port_of(int directed_link) const {
  const Dimension& own = dimension_of(directed_link / 2);
  const int node = ends(directed_link).from;
  int port = 0;
  for (const Dimension& d : dimensions())
    for (const int step : {+1, -1}) {
      if (!d.axis.has_link(d.coordinate(node), step)) continue;
      if (&d == &own && step == (directed_link % 2 == 0 ? +1 : -1)) return port;
      ++port;
    }
  return port;
}

int Grid::distance(Rank a, Rank b) const {
  int distance = 0;
  for (const Dimension& d : dimensions())
    distance += std::abs(d.axis.steps(d.coordinate(a), d.coordinate(b)));
  return distance;
}

int Grid::diameter() const {
  int diameter = 0;
  for (const Dimension& d : dimensions()) diameter += d.axis.diameter();
  return diameter;
}

// The halves of the ranks in the order that a cut across its slowest dimension makes cheapest. An odd extent
// leaves a slice in the middle, halved in turn: Azizoglu, Egecioglu, The bisection width and the
// isoperimetric number of arrays, 2004.
int Grid::bisection() const {
  std::vector<Axis> axes;
  for (const Dimension& d : dimensions()) axes.push_back(d.axis);
  std::ranges::sort(axes, [](const Axis& a, const Axis& b) {
    return a.bisection() * b.extent() < b.bisection() * a.extent();
  });
  int cut = 0;
  int slice = nodes_;
  for (const Axis& axis : axes) {
    slice /= axis.extent();
    cut += axis.bisection() * slice;
    if (axis.extent() % 2 == 0) break;
  }
  return cut;
}

void Grid::append_route(Rank from, Rank to, Routing routing, std::vector<int>& links) const {
  int node = from;
  for (std::size_t i = 0; i < count_; ++i) {
    const Dimension& d = dimensions_[routing == Routing::yx ? count_ - 1 - i : i];
    int at = d.coordinate(node);
    const int steps = d.axis.steps(at, d.coordinate(to));
    const int step = steps < 0 ? -1 : +1;
    for (int taken = 0; taken != steps; taken += step) {
      links.push_back(d.directed_link(node, at, step));
      const int next = d.axis.after(at, step);
      node += (next - at) * d.stride;
      at = next;
    }
  }
}

}  // namespace vnode
