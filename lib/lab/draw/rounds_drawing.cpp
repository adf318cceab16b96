#include <algorithm>
#include <fmt/format.h>
#include <set>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>

#include "base/counted.hpp"
#include "draw/layout.hpp"
#include "draw/legend.hpp"
#include "draw/panel.hpp"
#include "draw/rounds.hpp"

namespace vnode {

namespace {

constexpr double page_width = 800, margin = 16, caption_size = 14;

std::size_t columns_for(const Topology& topology, std::size_t panels) {
  const int widest_beside = topology.family() == Family::ring ? 8 : 4;
  if (panels == 1 || topology.nodes() > 64 || (is_wide(topology) && topology.nodes() > widest_beside))
    return 1;
  const bool crowded = topology.family() == Family::hypercube && topology.dimensions() >= 4;
  return panels >= 5 && topology.nodes() <= 16 && !is_wide(topology) && !crowded ? 3 : 2;
}

// Node numbers for which their nodes are too small.
int unnumbered(const Topology& topology, const Layout& layout) {
  return topology.nodes() - static_cast<int>(nodes_and_links(topology, layout).labels.size());
}

Legend legend_of(const Rounds& rounds, const RoundsPicture& picture, int labels_left_out) {
  Legend legend;
  std::set<int> used;
  bool congested = false, together = rounds.panels.size() == 1 && rounds.panels[0].caption.empty();
  for (const Panel& panel : rounds.panels) {
    congested = congested || !panel.congested.empty();
    for (const Arrow& arrow : panel.arrows) used.insert(arrow.colour);
  }
  for (const int colour : used)
    if (rounds.colours > 1) legend.line(class_text(picture.schedule, colour, rounds.colours), hue(colour));
  if (rounds.combines && rounds.replaces) legend.line("replaces", ink(Ink::text));
  if (rounds.combines) legend.line("is combined", ink(Ink::text), true);
  if (congested) legend.line("2× and more: messages on a link in one round", ink(Ink::warning), false, 5);
  if (together && !used.empty()) legend.words("numbers: rounds");
  if (rounds.left_out > 0)
    legend.words(fmt::format("{} more {} left out", rounds.left_out,
                             rounds.left_out == 1 ? "round is" : "rounds are"));
  if (labels_left_out > 0)
    legend.words(fmt::format("{} {} left out", counted(labels_left_out, "label"),
                             labels_left_out == 1 ? "is" : "are"));
  return legend;
}

// The box around all of them.
Box bounds(const std::vector<Drawing>& parts) {
  Drawing corners;
  for (const Drawing& part : parts) corners.rectangles.push_back({vnode::bounds(part)});
  return vnode::bounds(corners);
}

std::string described(const RoundsPicture& picture) {
  constexpr std::size_t longest = 2000;
  std::string rounds = vnode::picture(picture.schedule);
  if (rounds.size() > longest) rounds = rounds.substr(0, longest) + " …";
  return fmt::format("{} with {} and the messages of each round, sender > receiver [blocks]: {}",
                     picture.topology.text(), counted(picture.topology.nodes(), "node"), rounds);
}

}  // namespace

Drawing drawing_of(const RoundsPicture& picture) {
  if (picture.topology.nodes() > max_drawn_nodes)
    throw UsageError(fmt::format("a picture of {} nodes cannot be read: up to {}, or more with the text pen",
                                 picture.topology.nodes(), max_drawn_nodes));
  Rounds rounds = rounds_of(picture);
  constexpr std::size_t most_panels = 24;
  if (rounds.panels.size() > most_panels) {
    rounds.left_out = static_cast<int>(rounds.panels.size() - most_panels);
    rounds.panels.resize(most_panels);
  }
  const std::size_t columns = columns_for(picture.topology, rounds.panels.size());
  const double cell = page_width / static_cast<double>(columns);
  const Layout layout =
      vnode::layout(picture.topology, columns == 1 && !is_wide(picture.topology) ? 500 : cell - 90);
  Drawing drawing{.title = picture.title, .description = described(picture)};
  std::vector<Drawing> parts;
  int labels_left_out = unnumbered(picture.topology, layout) * static_cast<int>(rounds.panels.size());
  for (const Panel& panel : rounds.panels) {
    const PanelMarks marks = marks_of(panel, picture.topology, layout);
    labels_left_out += marks.left_out;
    parts.push_back(drawn(panel, marks, picture.topology, layout));
  }
  const Box all = bounds(parts);
  const double below_caption = rounds.panels[0].caption.empty() ? 0 : 1.6 * caption_size;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto column = static_cast<double>(i % columns), row = static_cast<double>(i / columns);
    const Point top{std::max(cell, all.width + margin) * (column + 0.5),
                    (all.height + below_caption + 2 * margin) * row};
    add(drawing, std::move(parts[i]), top + Point{-all.x - all.width / 2, below_caption - all.y});
    if (!rounds.panels[i].caption.empty())
      drawing.labels.push_back({.text = rounds.panels[i].caption,
                                .at = top,
                                .size = caption_size,
                                .ink = ink(Ink::text),
                                .bold = true});
  }
  const double middle = std::max(cell, all.width + margin) * static_cast<double>(columns) / 2;
  add_below(drawing, legend_of(rounds, picture, labels_left_out), page_width - 2 * margin, middle);
  add_title(drawing, page_width - 2 * margin, middle);
  fit(drawing, margin, page_width, middle);
  return drawing;
}

}  // namespace vnode
