#include "draw/panel.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "draw/geometry.hpp"
#include "draw/ways.hpp"

namespace vnode {
namespace {

Box grown(const Box& box, double across, double along) {
  return {box.x - across, box.y - along, box.width + 2 * across, box.height + 2 * along};
}

constexpr double least_radius = 3, least_label = 9;

std::vector<Stroke> strokes_of(const Panel& panel, const Topology& topology, const Arrangement& arrangement) {
  std::vector<std::vector<int>> ways;
  for (const Arrow& arrow : panel.arrows) ways.push_back(arrow.way);
  std::vector<std::vector<Point>> lines = lines_of(topology, arrangement, ways, congested_links(panel));
  std::vector<Stroke> strokes;
  for (std::size_t i = 0; i < ways.size(); ++i)
    strokes.push_back({.points = std::move(lines[i]),
                       .ink = hue(panel.arrows[i].colour),
                       .width = std::clamp(0.16 * arrangement.radius, 0.7, 2.0),
                       .head = head_length(arrangement),
                       .dashed = panel.arrows[i].transfer.effect != Effect::replace,
                       .rounding = 0.8 * arrangement.radius});
  return strokes;
}

}  // namespace

Places::Places(const Drawing& drawing) {
  constexpr double apart = 3;
  for (const Disc& disc : drawing.discs) {
    const double reach = disc.radius + apart;
    taken_.push_back({disc.center.x - reach, disc.center.y - reach, 2 * reach, 2 * reach});
  }
  for (const Label& label : drawing.labels) taken_.push_back(grown(box_of(label), 4, 0));
}

bool Places::is_free(const Box& box) const {
  return std::ranges::none_of(taken_, [&](const Box& other) { return overlap(box, other); });
}

bool Places::find(Label& label, std::span<const Point> line, std::span<const Stroke> lines, std::size_t own) {
  constexpr std::array fractions = {0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3,
                                    0.7, 0.25, 0.75, 0.2, 0.8, 0.15, 0.85};
  const auto covers = [&](const Box& box) {
    for (std::size_t i = 0; i < lines.size(); ++i)
      for (std::size_t j = 1; i != own && j < lines[i].points.size(); ++j)
        if (crosses(lines[i].points[j - 1], lines[i].points[j], box)) return true;
    return false;
  };
  for (const bool clear : {true, false})
    for (const double fraction : fractions) {
      label.at = along(line, fraction);
      const Box box = box_of(label);
      if (!is_free(box) || (clear && covers(grown(box, 3, 3)))) continue;
      taken_.push_back(grown(box, 4, 0));  // numbers side by side would be one number
      return true;
    }
  return false;
}

PanelMarks marks_of(const Panel& panel, const Topology& topology, const Arrangement& arrangement) {
  PanelMarks marks{.arrows = strokes_of(panel, topology, arrangement)};
  const double size = std::clamp(arrangement.radius, least_label, 12.0);
  Places places(nodes_and_links(topology, arrangement));
  const auto place = [&](Label label, std::span<const Point> line, std::size_t own) {
    label.size = size;
    label.bold = label.backed = true;
    if (arrangement.radius >= least_radius && places.find(label, line, marks.arrows, own))
      marks.labels.push_back(std::move(label));
    else
      ++marks.left_out;
  };
  for (const auto& [link, load] : congested_links(panel))
    place({.text = fmt::format("{}×", load), .ink = ink(Ink::warning)}, arrangement.along(topology, 2 * link),
          marks.arrows.size());
  for (std::size_t i = 0; i < marks.arrows.size(); ++i)
    if (!panel.arrows[i].label.empty() && !marks.arrows[i].points.empty())
      place({.text = panel.arrows[i].label, .ink = marks.arrows[i].ink}, marks.arrows[i].points, i);
  return marks;
}

Drawing drawn(const Panel& panel, const PanelMarks& marks, const Topology& topology,
              const Arrangement& arrangement) {
  Drawing drawing = nodes_and_links(topology, arrangement);
  for (const auto& [link, load] : congested_links(panel))
    drawing.strokes.push_back({.points = arrangement.along(topology, 2 * link),
                               .ink = ink(Ink::warning),
                               .width = std::clamp(0.45 * arrangement.radius, 2.0, 5.0),
                               .rounding = 1.5 * arrangement.radius});
  drawing.strokes.insert(drawing.strokes.end(), marks.arrows.begin(), marks.arrows.end());
  drawing.labels.insert(drawing.labels.end(), marks.labels.begin(), marks.labels.end());
  return drawing;
}

}  // namespace vnode
