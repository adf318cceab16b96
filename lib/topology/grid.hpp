#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include <vnode/topology.hpp>

#include "base/at.hpp"

namespace vnode {

/// Is an array of `extent` nodes or, if it wraps, a ring. A ring of fewer than three nodes is an array.
class Axis {
 public:
  Axis() = default;
  Axis(int extent, bool wraps) : extent_(extent), wraps_(wraps && extent > 2) {}

  int extent() const { return extent_; }
  /// Link i joins i and i + 1, on a ring the last one the ends.
  int links() const { return wraps_ ? extent_ : extent_ - 1; }
  bool has_link(int at, int step) const { return wraps_ || (at + step >= 0 && at + step < extent_); }
  /// Returns where one step of +1 or -1 leads.
  int after(int at, int step) const {
    const int next = at + step;
    return next < 0 ? extent_ - 1 : next == extent_ ? 0 : next;
  }
  /// Returns the link of that step.
  int link(int at, int step) const { return step > 0 ? at : after(at, -1); }
  /// Returns the steps of the shorter way, positive if towards higher numbers: on a ring's tie, too.
  int steps(int from, int to) const {
    if (!wraps_) return to - from;
    const int up = to >= from ? to - from : to - from + extent_;
    return 2 * up <= extent_ ? up : up - extent_;
  }
  int diameter() const { return wraps_ ? extent_ / 2 : extent_ - 1; }
  /// Returns the number of links between two halves.
  int bisection() const { return wraps_ ? 2 : extent_ > 1 ? 1 : 0; }

 private:
  int extent_ = 1;
  bool wraps_ = false;
};

/// Is the product of arrays, a mesh, or of rings, a torus. Array and ring are those of one dimension.
class Grid {
 public:
  /// Takes the extents, slowest first.
  Grid(std::span<const int> extents, bool wraps) : count_(extents.size()) {
    int nodes = 1;
    for (const int extent : extents) nodes *= extent;
    for (std::size_t i = 0; i < count_; ++i) {
      const Axis axis(extents[count_ - 1 - i], wraps);
      dimensions_[i] = {axis, nodes_, links_};
      nodes_ *= axis.extent();
      links_ += nodes / axis.extent() * axis.links();
    }
  }

  int vertices() const { return nodes_; }
  int links() const { return links_; }
  int degree(int node) const {
    int degree = 0;
    for (const Dimension& d : dimensions())
      for (const int step : {+1, -1}) degree += d.axis.has_link(d.coordinate(node), step) ? 1 : 0;
    return degree;
  }
  Port port(int node, int index) const {
    for (std::size_t i = 0; i < count_; ++i)
      for (const int step : {+1, -1})
        if (dimensions_[i].axis.has_link(dimensions_[i].coordinate(node), step) && index-- == 0)
          return {static_cast<int>(i), step};
    return {};
  }
  std::string port_name(int node, int index) const {
    const auto [dimension, step] = port(node, index);
    const std::string sign = step > 0 ? "+" : "-";
    return dimension < 3 ? sign + "xyz"[dimension] : sign + "dimension " + std::to_string(dimension);
  }
  int directed_link(int node, int index) const {
    const auto [dimension, step] = port(node, index);
    const Dimension& d = at(dimensions_, dimension);
    return d.directed_link(node, d.coordinate(node), step);
  }
  DirectedLink ends(int directed_link) const {
    const int link = directed_link / 2;
    const Dimension& d = dimension_of(link);
    const int line = (link - d.first_link) / d.axis.links();
    const int at = (link - d.first_link) % d.axis.links();
    const int start = line / d.stride * d.stride * d.axis.extent() + line % d.stride;
    const int low = start + at * d.stride;
    const int high = start + d.axis.after(at, +1) * d.stride;
    return directed_link % 2 == 0 ? DirectedLink{low, high} : DirectedLink{high, low};
  }
  int port_of(int directed_link) const {
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
  int distance(Rank a, Rank b) const {
    int distance = 0;
    for (const Dimension& d : dimensions())
      distance += std::abs(d.axis.steps(d.coordinate(a), d.coordinate(b)));
    return distance;
  }
  int diameter() const {
    int diameter = 0;
    for (const Dimension& d : dimensions()) diameter += d.axis.diameter();
    return diameter;
  }
  // Returns the halves of the ranks in the order that a cut across its slowest dimension makes cheapest. An
  // odd extent leaves a slice in the middle, halved in turn: Azizoglu, Egecioglu, The bisection width and the
  // isoperimetric number of arrays, 2004.
  int bisection() const {
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
  void append_route(Rank from, Rank to, Routing routing, std::vector<int>& links) const {
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

 private:
  struct Dimension {
    Axis axis;
    int stride = 1;      // between the ranks of neighbours
    int first_link = 0;  // links of a dimension are numbered together, axis by axis

    int coordinate(int node) const { return node / stride % axis.extent(); }
    int directed_link(int node, int at, int step) const {
      const int line = node / (stride * axis.extent()) * stride + node % stride;
      return 2 * (first_link + line * axis.links() + axis.link(at, step)) + (step > 0 ? 0 : 1);
    }
  };

  /// Whose link it is.
  const Dimension& dimension_of(int link) const {
    const auto next =
        std::ranges::find_if(dimensions(), [=](const Dimension& d) { return d.first_link > link; });
    // Dimensions without links share their first number with the next: the last one that has it owns it.
    return *(next - 1);
  }
  std::span<const Dimension> dimensions() const { return {dimensions_.data(), count_}; }

  std::array<Dimension, max_dimensions> dimensions_;  // the fastest first
  std::size_t count_;
  int nodes_ = 1;
  int links_ = 0;
};

}  // namespace vnode
