#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <vnode/error.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "draw/arrangement.hpp"
#include "draw/drawing.hpp"
#include "draw/pictures.hpp"
#include "draw/svg.hpp"
#include "draw/ways.hpp"

namespace vnode {
namespace {

// Returns seconds by directed link.
std::vector<double> uses_of(const HeatMapPicture& picture) {
  std::vector<double> seconds(static_cast<std::size_t>(picture.topology.directed_links()));
  for (const LinkUse& use : picture.use) {
    if (use.directed_link < 0 || use.directed_link >= picture.topology.directed_links())
      throw UsageError(fmt::format("{} has no directed link {}, the last one is {}", picture.topology.text(),
                                   use.directed_link, picture.topology.directed_links() - 1));
    if (!std::isfinite(use.seconds) || use.seconds < 0)
      throw UsageError(fmt::format("directed link {} was in use for {} seconds: expected 0 or more",
                                   use.directed_link, use.seconds));
    at(seconds, use.directed_link) += use.seconds;
  }
  return seconds;
}

// Returns the time that the shares are of.
double whole_time(const HeatMapPicture& picture, const std::vector<double>& uses) {
  return uses.empty() ? picture.seconds : std::max(picture.seconds, std::ranges::max(uses));
}

// Returns the step of a use: 0 for no use, then equal parts of the whole time.
int step_of(double seconds, double most) {
  if (seconds <= 0) return 0;
  return std::clamp(static_cast<int>(std::ceil(seconds / most * (heats - 1) - 1e-9)), 1, heats - 1);
}

std::string text_of(const HeatMapPicture& picture) {
  const Topology& topology = picture.topology;
  const std::vector<double> uses = uses_of(picture);
  const double most = whole_time(picture, uses);
  constexpr int width = 30;
  std::string text =
      fmt::format("{}\n{}{}{}, {}\n\n", picture.title, picture.run, picture.run.empty() ? "" : "\n",
                  topology.text(), counted(topology.nodes(), "node"));
  for (std::size_t link = 0; link < uses.size(); ++link) {
    if (uses[link] <= 0) continue;
    const DirectedLink ends = topology.ends(static_cast<int>(link));
    const int bar = std::max(1, static_cast<int>(std::lround(uses[link] / most * width)));
    text += fmt::format("{:>6} > {:<6} {:>10} {:>3.0f} %  {}\n", vertex_text(topology, ends.from),
                        vertex_text(topology, ends.to), time_text(uses[link]), 100 * uses[link] / most,
                        std::string(static_cast<std::size_t>(bar), '#'));
  }
  const auto idle = std::ranges::count(uses, 0.0);
  if (idle > 0) text += fmt::format("{} of {} directions of links are not used\n", idle, uses.size());
  return text;
}

}  // namespace

Drawing drawing_of(const HeatMapPicture& picture) {
  const Topology& topology = picture.topology;
  if (topology.nodes() > max_drawn_nodes)
    throw UsageError(fmt::format("a heat map of {} nodes cannot be read: up to {}, or more as text",
                                 topology.nodes(), max_drawn_nodes));
  const std::vector<double> uses = uses_of(picture);
  const double most = whole_time(picture, uses);
  const Arrangement arrangement = vnode::arrangement(topology, is_wide(topology) ? 700 : 560);
  Drawing drawing = nodes_and_links(topology, arrangement);
  drawing.strokes.clear();
  drawing.title = picture.title;
  const double width = std::clamp(0.42 * arrangement.radius, 1.0, 5.0);
  std::vector<std::vector<int>> ways;
  for (int link = 0; link < topology.directed_links(); ++link) ways.push_back({link});
  const std::vector<std::vector<Point>> lines = lines_of(topology, arrangement, ways);
  for (std::size_t link = 0; link < ways.size(); ++link)
    if (arrangement.links_shown || uses[link] > 0)
      drawing.strokes.push_back({.points = lines[link],
                                 .ink = heat(step_of(uses[link], most)),
                                 .width = width,
                                 .rounding = arrangement.radius});
  Legend legend;
  legend.patch("not used", heat(0));
  for (int step = 1; step < heats && most > 0; ++step)
    legend.patch(fmt::format("≤ {} %", 100 * step / (heats - 1)), heat(step));
  if (most > 0) legend.words("of " + time_text(most));
  const double middle = bounds(drawing).x + bounds(drawing).width / 2;
  add_below(drawing, legend, 760, middle);
  drawing.description = fmt::format(
      "{} with its links coloured by the share of {} that each direction, right of its way, was in use; the "
      "longest use {}{}{}",
      topology.text(), time_text(most), time_text(uses.empty() ? 0 : std::ranges::max(uses)),
      picture.run.empty() ? "" : ". ", picture.run);
  add_note(drawing, picture.run, 760, middle);
  add_title(drawing, 760, middle);
  fit(drawing, 16, 800, middle);
  return drawing;
}

std::string draw(const HeatMapPicture& picture, Pen pen, Theme theme) {
  return pen == Pen::text ? text_of(picture) : to_svg(drawing_of(picture), theme);
}

}  // namespace vnode
