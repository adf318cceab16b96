#pragma once

#include <map>
#include <span>
#include <vector>

#include <vnode/topology.hpp>

#include "draw/arrangement.hpp"
#include "draw/drawing.hpp"

namespace vnode {

/// Returns the distance of p from the line between a and b.
double distance(Point p, Point a, Point b);

/// Describes a disc that a line may not touch.
struct Obstacle {
  Point center = {};
  double reach = 0;
};

/// Returns the line, bent around the obstacles that it touches between its ends, on the side where it passes
/// them already: lines that pass one obstacle keep their order. The ends stay. O(points x obstacles).
std::vector<Point> detour(std::vector<Point> line, std::span<const Obstacle> obstacles);

/// Returns how long the heads of arrows are.
double head_length(const Arrangement& arrangement);

/// Says where the ways of messages run: a way of one link runs on it, others beside the links, on the right
/// of their direction (where a torus closes, outside), or on the left where they cross fewer arrows there,
/// each in a lane of its own, the short ones inside. They keep clear of the nodes and switches that they
/// pass, and meet the edge of a node at different places as far as there is room. Way i is a list of directed
/// links; an empty one is no line.
class Lanes {
 public:
  /// Lays the ways. None runs on the links (both directions) that `crowded` has, so that what is written on
  /// them stays legible.
  Lanes(const Topology& topology, const Arrangement& arrangement, std::span<const std::vector<int>> ways,
        const std::map<int, int>& crowded = {});

  /// Returns the line of a way from the edge of its first node to the edge of its last.
  std::vector<Point> line(std::size_t way) const;

 private:
  struct Leg;
  void choose_sides();
  void choose_lanes(const std::map<int, int>& crowded);
  void choose_sideways();
  void choose_contacts();
  double room_between(std::size_t one, std::size_t other, int vertex) const;
  double outwards(std::size_t way, int vertex) const;
  double contact_on_link(std::size_t way, int vertex) const;
  bool on_the_left(std::size_t way, int link) const;
  bool is_bent(int link) const;
  double offset(std::size_t way, int link) const;  // to the right; negative: to the left
  double reach(std::size_t way, bool end) const;
  std::vector<Leg> legs(std::size_t way) const;
  Point join(const Leg& leg, bool end) const;

  const Topology& topology_;
  const Arrangement& arrangement_;
  std::span<const std::vector<int>> ways_;
  std::vector<int> lanes_;     // by way; on_the_link for those of one link that have it for themselves
  std::vector<bool> changed_;  // by way: on the left, where it would be on the right
  std::vector<double>
      sideways_;  // by way on a link: to the right of its middle, in radii, where another faces it
  std::vector<double> departures_, arrivals_;  // by way: the angle where it meets its first and last node
  std::vector<Obstacle> obstacles_;            // by vertex
  double beside_ = 0;                          // from the link to the innermost lane that passes nodes
  double gap_ = 0;
};

/// Returns the place at `fraction` of the length of a line.
Point along(std::span<const Point> line, double fraction);

}  // namespace vnode
