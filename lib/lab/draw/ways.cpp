#include "draw/ways.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "base/at.hpp"
#include "draw/geometry.hpp"

namespace vnode {
namespace {

constexpr int on_the_link = -1;
constexpr double before_a_node = 1.5;  // a head stops there
constexpr std::size_t crowd = 32;      // ways at a node among which no side has more room than the other
// Shares of the radius of nodes (switches are smaller): how far from the middle of a link two ways are that
// face each other, and half of how far one is that leaves the middle to the other.
constexpr double beside_each_other = 0.55, off_the_middle = 0.4;

Point right_of(Point along) { return {-along.y, along.x}; }

// Describes a straight part of a way, from the middle of a vertex or from a bend of a link.
struct Leg {
  Point from, to;
  double offset = 0;  // of the way to the right of it

  Point along() const { return direction(from, to); }
  Point aside() const { return offset * right_of(along()); }
  double length() const { return vnode::length(to - from); }
};

// Adds the points where a lane turns from one leg into the next. Outside a sharp corner it goes round;
// inside it meets itself.
void add_bend(std::vector<Point>& line, const Leg& before, const Leg& after) {
  const Point corner = before.to;
  if (before.offset != after.offset) {  // it changes sides
    line.push_back(corner + before.aside());
    line.push_back(corner + after.aside());
    return;
  }
  const Point a = right_of(before.along()), b = right_of(after.along());
  const double facing = 1 + a.x * b.x + a.y * b.y;
  const bool inside =
      (before.along().x * after.along().y - before.along().y * after.along().x) * before.offset > 0;
  if (facing >= 1 || inside) {
    const Point mitre = (before.offset / std::max(facing, 1e-3)) * (a + b);
    const double most = std::max(std::abs(before.offset), 0.5 * std::min(before.length(), after.length()));
    line.push_back(corner + std::min(1.0, most / std::max(length(mitre), 1e-9)) * mitre);
    return;
  }
  const Point middle = facing > 1e-3 ? direction({}, before.offset * (a + b)) : before.along();
  line.push_back(corner + before.aside());
  line.push_back(corner + std::abs(before.offset) * middle);
  line.push_back(corner + after.aside());
}

double angle(Point p) { return std::atan2(p.y, p.x); }

// Returns the angle within one turn, from 0.
double turn(double angle) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle - turn * std::floor(angle / turn);
}

// Returns the angle between two directions.
double apart(double a, double b) { return std::abs(std::remainder(a - b, 2 * std::numbers::pi)); }

// Returns the space that stays free around nodes and switches that a way passes.
double clearance(const Arrangement& arrangement) { return std::min(3.0, 0.3 * arrangement.radius + 0.5); }

// Returns the angle between two contacts that leaves room for heads.
double contact_gap(const Arrangement& arrangement, double reach) {
  return (0.84 * head_length(arrangement) + 2) / reach;
}

double half_the_closest_link(const Topology& topology, const Arrangement& arrangement) {
  double least = 1e9;
  for (int link = 0; link < topology.links(); ++link) {
    const DirectedLink ends = topology.ends(2 * link);
    least = std::min(least, length(at(arrangement.at, ends.to) - at(arrangement.at, ends.from)));
  }
  return least / 2;
}

// Lays ways as lines_of() says.
class Lanes {
 public:
  Lanes(const Topology& topology, const Arrangement& arrangement, std::span<const std::vector<int>> ways,
        const std::map<int, int>& crowded)
      : topology_(topology), arrangement_(arrangement), ways_(ways), courses_(ways.size()) {
    for (int vertex = 0; vertex < topology.vertices(); ++vertex)
      obstacles_.push_back(
          {at(arrangement.at, vertex), arrangement.reach(topology, vertex) + clearance(arrangement)});
    choose_sides();
    choose_lanes(crowded);
    choose_sideways();
    choose_contacts();
  }

  // Returns the line of a way from the edge of its first node to the edge of its last.
  std::vector<Point> line(std::size_t way) const {
    if (ways_[way].empty()) return {};
    const std::vector<Leg> legs = this->legs(way);
    const int first = topology_.ends(ways_[way].front()).from, last = topology_.ends(ways_[way].back()).to;
    const auto contact = [&](int vertex, double angle, double room) {
      const double distance = arrangement_.reach(topology_, vertex) + room;
      return at(arrangement_.at, vertex) + distance * Point{std::cos(angle), std::sin(angle)};
    };
    std::vector<Point> line{contact(first, courses_[way].departure, 0)};
    if (courses_[way].lane != on_the_link) line.push_back(join(legs.front(), false));
    for (std::size_t i = 1; i < legs.size(); ++i) add_bend(line, legs[i - 1], legs[i]);
    if (courses_[way].lane != on_the_link) line.push_back(join(legs.back(), true));
    line.push_back(contact(last, courses_[way].arrival, before_a_node));
    // A head needs a straight piece.
    while (line.size() > 2 && length(line.back() - line[line.size() - 2]) < head_length(arrangement_))
      line.erase(line.end() - 2);
    std::vector<Obstacle> others;
    for (int vertex = 0; vertex < topology_.vertices(); ++vertex)
      if (vertex != first && vertex != last) others.push_back(at(obstacles_, vertex));
    return detour(std::move(line), others);
  }

 private:
  struct Course {
    int lane = 0;          // on_the_link for a way of one link that has it for itself
    bool changed = false;  // on the left, where it would be on the right
    double sideways = 0;   // of a way on a link that another faces: to the right of its middle, in radii
    double departure = 0, arrival = 0;  // the angles where it meets its first and last node
  };

  // At a vertex that it passes a way crosses what begins and ends there on its side. A head that is crossed
  // is harder to read than a tail.
  void choose_sides() {
    if (topology_.family() == Family::tree) return;
    constexpr int tail = 1, head = 3, worth_it = 2;
    constexpr double same = 1e-6;
    const auto at = [&](int vertex) { return arrangement_.at[static_cast<std::size_t>(vertex)]; };
    std::unordered_map<int, int> crossings;  // by directed link: on it, near its first vertex
    for (const std::vector<int>& way : ways_)
      if (!way.empty()) {
        crossings[way.front()] += tail;
        crossings[way.back() ^ 1] += head;
      }
    std::unordered_map<int, std::vector<std::pair<double, int>>> around;  // by vertex: angles and crossings
    for (const auto& [link, cost] : crossings) {
      const DirectedLink ends = topology_.ends(link);
      around[ends.from].emplace_back(angle(at(ends.to) - at(ends.from)), cost);
    }
    for (std::size_t way = 0; way < ways_.size(); ++way) {
      const std::vector<int>& links = ways_[way];
      if (std::ranges::any_of(links, [&](int link) { return is_bent(link); })) continue;
      int right = 0, left = 0;
      for (std::size_t i = 1; i < links.size(); ++i) {
        const DirectedLink into = topology_.ends(links[i - 1]), out = topology_.ends(links[i]);
        const double ahead = angle(at(out.to) - at(out.from));
        const double back = turn(angle(at(into.from) - at(into.to)) - ahead);
        for (const auto& [direction, cost] : around[out.from]) {
          const double from_ahead = turn(direction - ahead);
          if (apart(direction, ahead) < same || std::abs(from_ahead - back) < same)
            continue;  // along the way
          (from_ahead < back ? right : left) += cost;
        }
      }
      courses_[way].changed = left + worth_it <= right;
    }
  }

  void choose_lanes(const std::map<int, int>& crowded) {
    std::vector<std::size_t> order;
    for (std::size_t way = 0; way < ways_.size(); ++way)
      if (!ways_[way].empty()) order.push_back(way);
    // Around corners the short ways stay inside. In a tree all turn to their right: those that turn first go
    // outside.
    const bool tree = topology_.family() == Family::tree;
    std::ranges::stable_sort(order, {}, [&](std::size_t way) {
      const auto links = static_cast<int>(ways_[way].size());
      return tree ? -links : links;
    });
    std::unordered_set<int> on_links;  // the directed links that a way of one link has for itself
    std::unordered_map<int, std::unordered_set<int>> taken;  // by directed link: the lanes beside it
    int most = 1;
    for (const std::size_t way : order) {
      const int link = ways_[way][0];
      int& lane = courses_[way].lane;
      if (ways_[way].size() == 1 && !crowded.contains(link / 2) && on_links.insert(link).second) {
        lane = on_the_link;
        continue;
      }
      // The left side of a direction is the right side of the other.
      const auto side = [&](int passed) { return on_the_left(way, passed) ? passed ^ 1 : passed; };
      const auto is_taken = [&](int passed) { return taken[side(passed)].contains(lane); };
      while (std::ranges::any_of(ways_[way], is_taken)) ++lane;
      for (const int passed : ways_[way]) taken[side(passed)].insert(lane);
      most = std::max(most, lane + 1);
    }
    for (const std::size_t way : order)
      if (courses_[way].lane == on_the_link && on_links.contains(ways_[way][0] ^ 1))
        courses_[way].sideways = beside_each_other;
    // Clear of the switches of a tree, which are smaller than nodes.
    const double passed = arrangement_.reach(topology_, topology_.vertices() - 1);
    beside_ = tree ? passed + clearance(arrangement_) + 0.5 : arrangement_.radius + 5;
    gap_ =
        std::clamp((half_the_closest_link(topology_, arrangement_) - beside_) / most, 0.6, tree ? 6.0 : 10.0);
  }

  // Two ways that face each other on a link leave its middle to one of them where both would meet, at a node,
  // what comes and goes on other links. Where all links have two, as in a heat map, they are all alike.
  void choose_sideways() {
    std::map<int, std::size_t> on_links;                            // by directed link: the way
    std::unordered_map<int, std::vector<std::size_t>> at_vertices;  // ways on links that begin or end there
    for (std::size_t way = 0; way < ways_.size(); ++way) {
      if (ways_[way].empty() || courses_[way].lane != on_the_link) continue;
      const DirectedLink ends = topology_.ends(ways_[way][0]);
      on_links[ways_[way][0]] = way;
      for (const int vertex : {ends.from, ends.to}) at_vertices[vertex].push_back(way);
    }
    const auto is_faced = [&](const auto& on_link) { return on_links.contains(on_link.first ^ 1); };
    if (std::ranges::all_of(on_links, is_faced)) return;
    const double enough = contact_gap(arrangement_, arrangement_.radius);
    for (const auto& on_link : on_links) {
      const int link = on_link.first;
      const std::size_t way = on_link.second;
      if (link % 2 == 1 || courses_[way].sideways == 0) continue;
      const std::size_t other = on_links.at(link ^ 1);
      const DirectedLink ends = topology_.ends(link);
      if (std::max(at_vertices[ends.from].size(), at_vertices[ends.to].size()) > crowd) continue;
      const auto lack = [&] {
        double sum = 0;
        for (const int vertex : {ends.from, ends.to})
          for (const std::size_t neighbour : at_vertices[vertex])
            if (neighbour != way && neighbour != other)
              for (const std::size_t mine : {way, other}) {
                const double missing = std::max(0.0, enough - room_between(mine, neighbour, vertex));
                sum += missing * missing;
              }
        return sum;
      };
      double least = lack();
      std::pair chosen{beside_each_other, beside_each_other};
      for (const auto& sides : {std::pair{0.0, 2 * off_the_middle}, std::pair{2 * off_the_middle, 0.0}}) {
        std::tie(courses_[way].sideways, courses_[other].sideways) = sides;
        if (const double now = lack(); now < least - 1e-6) {
          least = now;
          chosen = sides;
        }
      }
      std::tie(courses_[way].sideways, courses_[other].sideways) = chosen;
    }
  }

  // The angle from the contact of one way on a link to that of another, as far as both keep the order of
  // their links around the vertex: otherwise they cross, and it is less than 0.
  double room_between(std::size_t one, std::size_t other, int vertex) const {
    constexpr double turn = 2 * std::numbers::pi;
    const double links = std::remainder(outwards(other, vertex) - outwards(one, vertex), turn);
    const double contacts =
        std::remainder(contact_on_link(other, vertex) - contact_on_link(one, vertex), turn);
    if (std::abs(links) > turn / 4) return turn / 4;
    return links > 0 ? contacts : -contacts;
  }

  // Returns the direction of a way's first or last leg, seen from that node.
  double outwards(std::size_t way, int vertex) const {
    const bool end = vertex == topology_.ends(ways_[way].back()).to;
    const std::vector<Point> line =
        arrangement_.along(topology_, end ? ways_[way].back() : ways_[way].front());
    return angle(end ? line[line.size() - 2] - line.back() : line[1] - line[0]);
  }

  // Returns the angle at which a way meets its first or last node if it stays parallel to its link.
  double contact_on_link(std::size_t way, int vertex) const {
    const bool end = vertex == topology_.ends(ways_[way].back()).to;
    const double aside = offset(way, end ? ways_[way].back() : ways_[way].front());
    const double distance = reach(way, end) + (end ? before_a_node : 0);
    return outwards(way, vertex) + (end ? -1 : 1) * std::asin(std::clamp(aside / distance, -0.9, 0.9));
  }

  // A head and a little room for each, beginning from where the ways come from.
  void choose_contacts() {
    std::unordered_map<int, std::vector<Contact>> contacts;  // by vertex
    std::unordered_map<int, std::vector<std::pair<std::size_t, bool>>>
        owners;  // the way, and whether its end
    for (std::size_t way = 0; way < ways_.size(); ++way) {
      if (ways_[way].empty()) continue;
      const std::vector<Leg> legs = this->legs(way);
      for (const bool end : {false, true}) {
        const DirectedLink ends = topology_.ends(end ? ways_[way].back() : ways_[way].front());
        const int vertex = end ? ends.to : ends.from;
        const Point to = join(end ? legs.back() : legs.front(), end) - at(arrangement_.at, vertex);
        const bool fixed = courses_[way].lane == on_the_link;
        const bool parallel = fixed || topology_.family() == Family::tree;
        contacts[vertex].push_back({parallel ? contact_on_link(way, vertex) : angle(to), fixed});
        owners[vertex].emplace_back(way, end);
      }
    }
    for (auto& [vertex, around] : contacts) {
      move_apart(around, contact_gap(arrangement_, arrangement_.reach(topology_, vertex)));
      for (std::size_t i = 0; i < around.size(); ++i) {
        const auto [way, end] = owners[vertex][i];
        (end ? courses_[way].arrival : courses_[way].departure) = around[i].angle;
      }
    }
  }

  double offset(std::size_t way, int link) const {
    if (courses_[way].lane == on_the_link)
      return courses_[way].sideways * std::min(reach(way, false), reach(way, true));
    return (on_the_left(way, link) ? -1 : 1) * (beside_ + gap_ * courses_[way].lane);
  }

  double reach(std::size_t way, bool end) const {
    return arrangement_.reach(
        topology_, end ? topology_.ends(ways_[way].back()).to : topology_.ends(ways_[way].front()).from);
  }

  bool on_the_left(std::size_t way, int link) const {
    if (topology_.family() == Family::tree)
      return topology_.ends(ways_[way].front()).from > topology_.ends(ways_[way].back()).to;
    if (is_bent(link)) return link % 2 == 1;  // it bends to the right of the even direction
    return courses_[way].changed;
  }

  bool is_bent(int link) const {
    const auto number = static_cast<std::size_t>(link / 2);
    return number < arrangement_.bends.size() && !arrangement_.bends[number].empty();
  }

  std::vector<Leg> legs(std::size_t way) const {
    std::vector<Leg> legs;
    for (const int link : ways_[way]) {
      const std::vector<Point> part = arrangement_.along(topology_, link);
      for (std::size_t i = 1; i < part.size(); ++i) legs.push_back({part[i - 1], part[i], offset(way, link)});
    }
    return legs;
  }

  // Returns where the way leaves its lane for a node, or its node for the lane.
  Point join(const Leg& leg, bool end) const {
    const double advance = std::min(1.8 * beside_, 0.4 * leg.length());
    return (end ? leg.to - advance * leg.along() : leg.from + advance * leg.along()) + leg.aside();
  }

  const Topology& topology_;
  const Arrangement& arrangement_;
  std::span<const std::vector<int>> ways_;
  std::vector<Course> courses_;      // by way
  std::vector<Obstacle> obstacles_;  // by vertex
  double beside_ = 0;                // from the link to the innermost lane that passes nodes
  double gap_ = 0;
};

}  // namespace

double head_length(const Arrangement& arrangement) { return std::clamp(0.75 * arrangement.radius, 3.0, 9.0); }

std::vector<std::vector<Point>> lines_of(const Topology& topology, const Arrangement& arrangement,
                                         std::span<const std::vector<int>> ways,
                                         const std::map<int, int>& crowded) {
  const Lanes lanes(topology, arrangement, ways, crowded);
  std::vector<std::vector<Point>> lines;
  for (std::size_t way = 0; way < ways.size(); ++way) lines.push_back(lanes.line(way));
  return lines;
}

}  // namespace vnode
