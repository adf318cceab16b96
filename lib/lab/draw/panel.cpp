#include "draw/panel.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "draw/places.hpp"
#include "draw/ways.hpp"

namespace vnode {

namespace {

constexpr double least_radius = 3, least_label = 9;

std::vector<Stroke> strokes_of(const Panel& panel, const Topology& topology, const Layout& layout) {
  std::vector<std::vector<int>> ways;
  for (const Arrow& arrow : panel.arrows) ways.push_back(arrow.way);
  const Lanes lanes(topology, layout, ways, congested_links(panel));
  std::vector<Stroke> strokes;
  for (std::size_t i = 0; i < ways.size(); ++i)
    strokes.push_back({.points = lanes.line(i),
                       .ink = hue(panel.arrows[i].colour),
                       .width = std::clamp(0.16 * layout.radius, 0.7, 2.0),
                       .head = head_length(layout),
                       .dashed = panel.arrows[i].transfer.effect != Effect::replace,
                       .rounding = 0.8 * layout.radius});
  return strokes;
}

}  // namespace

PanelMarks marks_of(const Panel& panel, const Topology& topology, const Layout& layout) {
  PanelMarks marks{.arrows = strokes_of(panel, topology, layout)};
  const double size = std::clamp(layout.radius, least_label, 12.0);
  Places places(nodes_and_links(topology, layout));
  const auto place = [&](Label label, std::span<const Point> line, std::size_t own) {
    label.size = size;
    label.bold = label.backed = true;
    if (layout.radius >= least_radius && places.find(label, line, marks.arrows, own))
      marks.labels.push_back(std::move(label));
    else
      ++marks.left_out;
  };
  for (const auto& [link, load] : congested_links(panel))
    place({.text = fmt::format("{}×", load), .ink = ink(Ink::warning)}, layout.along(topology, 2 * link),
          marks.arrows.size());
  for (std::size_t i = 0; i < marks.arrows.size(); ++i)
    if (!panel.arrows[i].label.empty() && !marks.arrows[i].points.empty())
      place({.text = panel.arrows[i].label, .ink = marks.arrows[i].ink}, marks.arrows[i].points, i);
  return marks;
}

Drawing drawn(const Panel& panel, const PanelMarks& marks, const Topology& topology, const Layout& layout) {
  Drawing drawing = nodes_and_links(topology, layout);
  for (const auto& [link, load] : congested_links(panel))
    drawing.strokes.push_back({.points = layout.along(topology, 2 * link),
                               .ink = ink(Ink::warning),
                               .width = std::clamp(0.45 * layout.radius, 2.0, 5.0),
                               .rounding = 1.5 * layout.radius});
  drawing.strokes.insert(drawing.strokes.end(), marks.arrows.begin(), marks.arrows.end());
  drawing.labels.insert(drawing.labels.end(), marks.labels.begin(), marks.labels.end());
  return drawing;
}

}  // namespace vnode
