#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/lab/charts.hpp>

#include "draw/drawing.hpp"
#include "draw/svg.hpp"

namespace vnode {
namespace {

// Pixels.
constexpr double chart_width = 760, row_height = 17, thick = 12, row_gap = 10, letters = 11.5,
                 heading_size = 13;
constexpr double most_label = 0.3 * chart_width, most_text = 0.26 * chart_width;

double check(const BarChart& chart) {
  std::size_t count = 0;
  double most = 0;
  for (const BarChart::Cluster& cluster : chart.clusters)
    for (const BarChart::Bar& bar : cluster.bars) {
      if (!(bar.value >= 0) || !std::isfinite(bar.value))
        throw UsageError(fmt::format("{} is not the length of a bar: expected 0 or more", bar.value));
      if (bar.group < 0)
        throw UsageError(fmt::format("the bar {} has group {}: groups are 0 or more", bar.label, bar.group));
      most = std::max(most, bar.value);
      ++count;
    }
  if (count == 0) throw UsageError("a chart needs at least one bar");
  if (count > max_drawn_bars)
    throw UsageError(fmt::format("a chart of {} bars cannot be read: up to {}", count, max_drawn_bars));
  return most;
}

/// Returns the width of the widest text, but not more than `most`.
double widest(const BarChart& chart, std::string BarChart::Bar::*part, double most) {
  double wide = 0;
  for (const BarChart::Cluster& cluster : chart.clusters)
    for (const BarChart::Bar& bar : cluster.bars) wide = std::max(wide, width_of(bar.*part, letters));
  return std::min(wide, most);
}

Label label_of(const std::string& text, Point at, Anchor anchor, double most) {
  return cut({text, at, letters, anchor, ink(Ink::text)}, most);
}

Drawing legend_of(const BarChart& chart) {
  Legend legend;
  for (const BarChart::Key& key : chart.legend)
    if (key.outlined)
      legend.line(key.text, hue(key.group), true);
    else
      legend.patch(key.text, hue(key.group));
  return legend.drawing(chart_width);
}

}  // namespace

std::string to_svg(const BarChart& chart, Theme theme) {
  const double most = check(chart);
  const double left = widest(chart, &BarChart::Bar::label, most_label) + 8;
  const double right = chart_width - widest(chart, &BarChart::Bar::text, most_text) - 8;
  Drawing drawing{.title = chart.title, .description = fmt::format("{}; bars:", chart.note)};
  double y = 0;
  for (const BarChart::Cluster& cluster : chart.clusters) {
    drawing.labels.push_back(
        cut({cluster.title, {0, y}, heading_size, Anchor::start, ink(Ink::text), true}, chart_width));
    drawing.description += fmt::format(" {}:", cluster.title);
    for (const BarChart::Bar& bar : cluster.bars) {
      y += row_height;
      const double length = most > 0 ? (right - left) * bar.value / most : 0;
      drawing.labels.push_back(label_of(bar.label, {left - 8, y}, Anchor::end, most_label));
      drawing.rectangles.push_back({{left, y - thick / 2, std::max(length, 0.5), thick},
                                    hue(bar.group),
                                    bar.outlined ? ink(Ink::background) : hue(bar.group)});
      drawing.labels.push_back(label_of(bar.text, {left + length + 6, y}, Anchor::start, most_text));
      drawing.description += fmt::format(" {} {}", bar.label, bar.text);
      drawing.description += &bar == &cluster.bars.back() ? ";" : ",";
    }
    y += row_height + row_gap;
  }
  add(drawing, legend_of(chart), {0, y - row_height});
  add_note(drawing, chart.note, chart_width, chart_width / 2);
  add_title(drawing, chart_width, chart_width / 2);
  fit(drawing, 20, 800, chart_width / 2);
  return to_svg(drawing, theme);
}

}  // namespace vnode
