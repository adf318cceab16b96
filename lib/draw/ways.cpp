#include "draw/ways.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "draw/contacts.hpp"

namespace vnode {

namespace {

constexpr int on_the_link = -1;
constexpr double before_a_node = 1.5;  // a head stops there

Point direction(Point from, Point to) { return (1 / std::max(length(to - from), 1e-9)) * (to - from); }
Point right_of(Point along) { return {-along.y, along.x}; }

// Where a lane turns from one leg into the next. Outside a sharp corner it goes round; inside it meets
// itself.
template <class Leg>
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

double half_the_closest_link(const Topology& topology, const Layout& layout) {
  double least = 1e9;
  for (int link = 0; link < topology.links(); ++link) {
    const DirectedLink ends = topology.ends(2 * link);
    least = std::min(least, length(layout.at[static_cast<std::size_t>(ends.to)] -
                                   layout.at[static_cast<std::size_t>(ends.from)]));
  }
  return least / 2;
}

}  // namespace

// A straight part of a way, from the middle of a vertex or from a bend of a link.
struct Lanes::Leg {
  Point from, to;
  double offset = 0;  // of the way to the right of it

  Point along() const { return direction(from, to); }
  Point aside() const { return offset * right_of(along()); }
  double length() const { return vnode::length(to - from); }
};

double head_length(const Layout& layout) { return std::clamp(0.75 * layout.radius, 3.0, 9.0); }

Lanes::Lanes(const Topology& topology, const Layout& layout, std::span<const std::vector<int>> ways,
             const std::map<int, int>& crowded)
    : topology_(topology),
      layout_(layout),
      ways_(ways),
      lanes_(ways.size()),
      facing_(ways.size()),
      departures_(ways.size()),
      arrivals_(ways.size()) {
  const double clearance = std::min(3.0, 0.3 * layout.radius + 0.5);
  for (int vertex = 0; vertex < topology.vertices(); ++vertex)
    obstacles_.push_back(
        {layout.at[static_cast<std::size_t>(vertex)], layout.reach(topology, vertex) + clearance});
  choose_lanes(crowded);
  choose_contacts();
}

void Lanes::choose_lanes(const std::map<int, int>& crowded) {
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
    int& lane = lanes_[way];
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
    facing_[way] = lanes_[way] == on_the_link && on_links.contains(ways_[way][0] ^ 1);
  beside_ = (tree ? 0.3 : 1) * layout_.radius + 5;
  gap_ = std::clamp((half_the_closest_link(topology_, layout_) - beside_) / most, 0.6, tree ? 7.0 : 10.0);
}

// A head and a little room for each, beginning from where the ways come from.
void Lanes::choose_contacts() {
  std::unordered_map<int, std::vector<Contact>> contacts;                     // by vertex
  std::unordered_map<int, std::vector<std::pair<std::size_t, bool>>> owners;  // the way, and whether its end
  for (std::size_t way = 0; way < ways_.size(); ++way) {
    if (ways_[way].empty()) continue;
    const std::vector<Leg> legs = this->legs(way);
    for (const bool end : {false, true}) {
      const DirectedLink ends = topology_.ends(end ? ways_[way].back() : ways_[way].front());
      const int vertex = end ? ends.to : ends.from;
      const Point to =
          join(end ? legs.back() : legs.front(), end) - layout_.at[static_cast<std::size_t>(vertex)];
      double angle = std::atan2(to.y, to.x);
      if (lanes_[way] == on_the_link) {  // parallel to the link
        const Leg& leg = end ? legs.back() : legs.front();
        const Point outwards = (end ? -1 : 1) * leg.along();
        angle = std::atan2(outwards.y, outwards.x) +
                (end ? -1 : 1) * std::asin(std::clamp(
                                     leg.offset / (reach(way, end) + (end ? before_a_node : 0)), -0.9, 0.9));
      }
      contacts[vertex].push_back({angle, lanes_[way] == on_the_link});
      owners[vertex].emplace_back(way, end);
    }
  }
  for (auto& [vertex, around] : contacts) {
    move_apart(around, (0.84 * head_length(layout_) + 2) / layout_.reach(topology_, vertex));
    for (std::size_t i = 0; i < around.size(); ++i) {
      const auto [way, end] = owners[vertex][i];
      (end ? arrivals_ : departures_)[way] = around[i].angle;
    }
  }
}

double Lanes::offset(std::size_t way, int link) const {
  constexpr double facing = 0.55;  // of the radius of nodes; switches are smaller
  if (lanes_[way] == on_the_link)
    return facing_[way] ? facing * std::min(reach(way, false), reach(way, true)) : 0;
  return (on_the_left(way, link) ? -1 : 1) * (beside_ + gap_ * lanes_[way]);
}

double Lanes::reach(std::size_t way, bool end) const {
  return layout_.reach(topology_,
                       end ? topology_.ends(ways_[way].back()).to : topology_.ends(ways_[way].front()).from);
}

bool Lanes::on_the_left(std::size_t way, int link) const {
  if (topology_.family() == Family::tree)
    return topology_.ends(ways_[way].front()).from > topology_.ends(ways_[way].back()).to;
  const auto bent = static_cast<std::size_t>(link / 2);  // to the right of the even direction
  return bent < layout_.bends.size() && !layout_.bends[bent].empty() && link % 2 == 1;
}

std::vector<Lanes::Leg> Lanes::legs(std::size_t way) const {
  std::vector<Leg> legs;
  for (const int link : ways_[way]) {
    const std::vector<Point> part = layout_.along(topology_, link);
    for (std::size_t i = 1; i < part.size(); ++i) legs.push_back({part[i - 1], part[i], offset(way, link)});
  }
  return legs;
}

// Where the way leaves its lane for a node, or its node for the lane.
Point Lanes::join(const Leg& leg, bool end) const {
  const double advance = std::min(1.8 * beside_, 0.4 * leg.length());
  return (end ? leg.to - advance * leg.along() : leg.from + advance * leg.along()) + leg.aside();
}

std::vector<Point> Lanes::line(std::size_t way) const {
  if (ways_[way].empty()) return {};
  const std::vector<Leg> legs = this->legs(way);
  const int first = topology_.ends(ways_[way].front()).from, last = topology_.ends(ways_[way].back()).to;
  const auto contact = [&](int vertex, double angle, double room) {
    const double distance = layout_.reach(topology_, vertex) + room;
    return layout_.at[static_cast<std::size_t>(vertex)] + distance * Point{std::cos(angle), std::sin(angle)};
  };
  std::vector<Point> line{contact(first, departures_[way], 0)};
  if (lanes_[way] != on_the_link) line.push_back(join(legs.front(), false));
  for (std::size_t i = 1; i < legs.size(); ++i) add_bend(line, legs[i - 1], legs[i]);
  if (lanes_[way] != on_the_link) line.push_back(join(legs.back(), true));
  line.push_back(contact(last, arrivals_[way], before_a_node));
  // A head needs a straight piece.
  while (line.size() > 2 && length(line.back() - line[line.size() - 2]) < head_length(layout_))
    line.erase(line.end() - 2);
  std::vector<Obstacle> others;
  for (int vertex = 0; vertex < topology_.vertices(); ++vertex)
    if (vertex != first && vertex != last) others.push_back(obstacles_[static_cast<std::size_t>(vertex)]);
  return detour(std::move(line), others);
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

}  // namespace vnode
