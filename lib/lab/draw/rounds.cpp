#include "draw/rounds.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "draw/geometry.hpp"
#include "draw/holdings.hpp"
#include "draw/node_states.hpp"
#include "draw/svg.hpp"
#include "draw/ways.hpp"

namespace vnode {
namespace {

// Returns the number of colours by which blocks are told apart: as asked for, or one each where they are
// few.
int block_colours(const Schedule& schedule, int asked_for) {
  if (asked_for > 0) return std::min(asked_for, hues);
  return schedule.blocks() >= 2 && schedule.blocks() <= hues ? schedule.blocks() : 1;
}

void check(const RoundsPicture& picture) {
  const int rounds = static_cast<int>(picture.schedule.rounds().size());
  if (picture.schedule.nodes() != picture.topology.nodes())
    throw UsageError(fmt::format("a schedule of {} cannot be drawn on {}",
                                 counted(picture.schedule.nodes(), "node"),
                                 counted(picture.topology.nodes(), "node")));
  if (picture.round && (*picture.round < 0 || *picture.round >= rounds))
    throw UsageError(fmt::format("there is no round {}: the schedule has {}", *picture.round + 1, rounds));
  check_machines(picture.topology.nodes(), picture.machines);
  if (picture.machines > 1 && picture.topology.family() != Family::full)
    throw UsageError(fmt::format("messages between machines are drawn on a full topology, not on {}",
                                 picture.topology.text()));
  if (picture.states && !picture.contract)
    throw UsageError("what nodes hold is not known: say what the schedule is to achieve");
  if (picture.states && picture.panels == Panels::one)
    throw UsageError("what nodes hold changes from round to round: it is shown in a panel for each");
}

const Contract* contract_of(const RoundsPicture& picture) {
  return picture.contract ? &*picture.contract : nullptr;
}

Arrow arrow(const RoundsPicture& picture, const Transfer& message, int round, int colours) {
  const Schedule& schedule = picture.schedule;
  const BlockNames names(schedule, contract_of(picture));
  const auto blocks = schedule.intervals(message.what);
  return {.round = round,
          .transfer = message,
          .label = {},
          .blocks = message.what == Blocks::whole || schedule.blocks() == 0
                        ? ""
                        : names.text(blocks, names.pairs() ? 14 : 9),
          .colour = blocks.empty() ? 0 : blocks.front().first % colours,
          .way = picture.topology.route(message.from, message.to, picture.routing)};
}

Panel panel(const RoundsPicture& picture, int round, int colours) {
  Panel panel{.caption = fmt::format("round {}", round + 1)};
  for (const Transfer& message : messages(at(picture.schedule.rounds(), round))) {
    panel.arrows.push_back(arrow(picture, message, round, colours));
    panel.arrows.back().label = panel.arrows.back().blocks;
    for (const int link : panel.arrows.back().way) ++panel.congested[link];
  }
  std::erase_if(panel.congested, [](const auto& link) { return link.second < 2; });
  return panel;
}

// Tells whether all rounds can be read in one panel: there are few messages on a link, and none is congested.
bool legible_together(const Rounds& rounds, const RoundsPicture& picture) {
  constexpr int most_nodes = 16, most_on_a_link = 4;
  std::map<int, int> uses;
  int most = 0;
  for (const Panel& panel : rounds.panels) {
    if (!panel.congested.empty()) return false;
    for (const Arrow& arrow : panel.arrows) {
      if (!arrow.blocks.empty()) return false;
      for (const int link : arrow.way) most = std::max(most, ++uses[link]);
    }
  }
  return picture.topology.nodes() <= most_nodes && most <= most_on_a_link && picture.schedule.blocks() > 0;
}

// Tells whether all messages are of a scan's running totals, which then need no name.
bool all_carry_totals(const Rounds& rounds, const Contract* contract) {
  if (contract == nullptr || contract->originals == 0) return false;
  const std::string* blocks = nullptr;
  for (const Panel& panel : rounds.panels)
    for (const Arrow& arrow : panel.arrows) {
      if (blocks != nullptr && *blocks != arrow.blocks) return false;
      blocks = &arrow.blocks;
    }
  return true;
}

void put_together(Rounds& rounds) {
  Panel all;
  for (Panel& panel : rounds.panels) {
    for (Arrow& arrow : panel.arrows) {
      arrow.label = std::to_string(arrow.round + 1);
      all.arrows.push_back(std::move(arrow));
    }
    for (const auto& [link, load] : panel.congested)
      all.congested[link] = std::max(all.congested[link], load);
  }
  rounds.panels = {std::move(all)};
}

constexpr double page_width = 800, margin = 16, caption_size = 14;

std::size_t columns_for(const Topology& topology, std::size_t panels) {
  const int widest_beside = topology.family() == Family::ring ? 8 : 4;
  const bool hypercube = topology.family() == Family::hypercube;
  if (panels == 1 || topology.nodes() > 64 || (hypercube && topology.dimensions() > 4) ||
      (is_wide(topology) && topology.nodes() > widest_beside))
    return 1;
  const bool crowded = hypercube && topology.dimensions() == 4;
  return panels >= 5 && topology.nodes() <= 16 && !is_wide(topology) && !crowded ? 3 : 2;
}

// Node numbers for which their nodes are too small.
int unnumbered(const Topology& topology, const Arrangement& arrangement) {
  const std::size_t labels = nodes_and_links(topology, arrangement).labels.size() - arrangement.names.size();
  return topology.nodes() - static_cast<int>(labels);
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
  if (picture.states) legend.words("beside a node: what it holds before the round, of what is needed later");
  if (BlockNames(picture.schedule, contract_of(picture)).pairs() && !together)
    legend.words("{sources,destinations}");
  if (rounds.left_out > 0)
    legend.words(fmt::format("{} more {} left out", rounds.left_out,
                             rounds.left_out == 1 ? "round is" : "rounds are"));
  if (labels_left_out > 0)
    legend.words(fmt::format("{} {} left out", counted(labels_left_out, "label"),
                             labels_left_out == 1 ? "is" : "are"));
  return legend;
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

// The box around all of them.
Box bounds(const std::vector<Drawing>& parts) {
  Drawing corners;
  for (const Drawing& part : parts) corners.rectangles.push_back({vnode::bounds(part)});
  return vnode::bounds(corners);
}

// Where messages travel: "ring", "4 machines".
std::string place_text(const RoundsPicture& picture) {
  return picture.machines > 1 ? counted(picture.machines, "machine") : picture.topology.text();
}

std::string described(const RoundsPicture& picture) {
  constexpr std::size_t longest = 2000;
  std::string rounds = vnode::picture(picture.schedule);
  if (rounds.size() > longest) rounds = rounds.substr(0, longest) + " …";
  return fmt::format("{} with {} and the messages of each round, sender > receiver [blocks]: {}",
                     place_text(picture), counted(picture.topology.nodes(), "node"), rounds);
}

std::string text_of(const RoundsPicture& picture) {
  RoundsPicture apart = picture;
  apart.panels = Panels::rounds;
  const Rounds rounds = rounds_of(apart);
  std::string text = fmt::format("{}\n{}, {}", picture.title, place_text(picture),
                                 counted(picture.topology.nodes(), "node"));
  text += picture.machines > 1 ? "\n" : fmt::format(", routing {}\n", enums::name(picture.routing));
  for (const Panel& panel : rounds.panels) {
    if (!panel.caption.empty()) text += fmt::format("\n{}\n", panel.caption);
    for (const Arrow& arrow : panel.arrows) {
      const std::string_view sign = arrow.transfer.effect == Effect::replace          ? ">"
                                    : arrow.transfer.effect == Effect::combine_before ? "+>"
                                                                                      : ">+";
      std::string line = fmt::format("  {:>4} {:<2} {:<4}", arrow.transfer.from, sign, arrow.transfer.to);
      if (!arrow.blocks.empty()) line += fmt::format("  blocks {}", arrow.blocks);
      if (const int each = picture.topology.nodes() / picture.machines;
          arrow.transfer.from / each != arrow.transfer.to / each)
        line += fmt::format("  machine {} > {}", arrow.transfer.from / each, arrow.transfer.to / each);
      if (arrow.way.size() > 1) {
        line += "  by";
        for (std::size_t i = 0; i + 1 < arrow.way.size(); ++i) {
          line += ' ' + vertex_text(picture.topology, picture.topology.ends(arrow.way[i]).to);
        }
      }
      text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    for (const auto& [link, load] : panel.congested) {
      const DirectedLink ends = picture.topology.ends(link);
      const auto vertex = [&](int v) { return vertex_text(picture.topology, v); };
      text += fmt::format("  ! {} messages on the link {}>{}\n", load, vertex(ends.from), vertex(ends.to));
    }
    for (std::size_t node = 0; node < panel.states.size(); ++node)
      if (!panel.states[node].empty()) text += fmt::format("  {:>4} holds {}\n", node, panel.states[node]);
  }
  return text;
}

}  // namespace

std::map<int, int> congested_links(const Panel& panel) {
  std::map<int, int> links;
  for (const auto& [directed, load] : panel.congested)
    links[directed / 2] = std::max(links[directed / 2], load);
  return links;
}

PanelMarks marks_of(const Panel& panel, const Topology& topology, const Arrangement& arrangement) {
  PanelMarks marks{.arrows = strokes_of(panel, topology, arrangement)};
  const double size = std::clamp(arrangement.radius, least_label, 12.0);
  Places places(nodes_and_links(topology, arrangement));
  const auto place = [&](Label label, std::span<const Point> line, std::size_t own) {
    label.bold = label.backed = true;
    for (const double tried : {size, least_label}) {
      label.size = tried;
      if (arrangement.radius >= least_radius && places.find(label, line, marks.arrows, own))
        return marks.labels.push_back(std::move(label));
    }
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

std::string class_text(const Schedule& schedule, int colour, int colours) {
  constexpr int most = 3;
  std::string text = std::to_string(colour);
  int listed = 1, block = colour + colours;
  for (; block < schedule.blocks() && listed < most; block += colours, ++listed)
    text += fmt::format(", {}", block);
  if (block < schedule.blocks()) text += ", …";
  return fmt::format("{} {}", listed == 1 ? "block" : "blocks", text);
}

Rounds rounds_of(const RoundsPicture& picture) {
  check(picture);
  const int count = static_cast<int>(picture.schedule.rounds().size());
  Rounds rounds{.panels = {}, .left_out = 0, .colours = block_colours(picture.schedule, picture.colours)};
  const int first = picture.round.value_or(0), last = picture.round ? *picture.round + 1 : count;
  for (int round = first; round < last; ++round) {
    rounds.panels.push_back(panel(picture, round, rounds.colours));
    for (const Arrow& arrow : rounds.panels.back().arrows)
      (arrow.transfer.effect == Effect::replace ? rounds.replaces : rounds.combines) = true;
  }
  if (all_carry_totals(rounds, contract_of(picture))) {
    for (Panel& panel : rounds.panels)
      for (Arrow& arrow : panel.arrows) arrow.blocks.clear(), arrow.label.clear(), arrow.colour = 0;
    rounds.colours = 1;
  }
  if (picture.states) {
    const auto states = holdings(picture.schedule, *picture.contract);
    if (!picture.round) rounds.panels.push_back({.caption = "in the end"});
    for (std::size_t i = 0; i < rounds.panels.size(); ++i)
      rounds.panels[i].states = states[static_cast<std::size_t>(first) + i];
  } else if (rounds.panels.size() > 1 &&
             (picture.panels ? picture.panels == Panels::one : legible_together(rounds, picture)))
    put_together(rounds);
  if (rounds.panels.empty()) rounds.panels.emplace_back();
  return rounds;
}

std::string draw(const RoundsPicture& picture, Pen pen, Theme theme) {
  return pen == Pen::text ? text_of(picture) : to_svg(drawing_of(picture), theme);
}

Drawing drawing_of(const RoundsPicture& picture) {
  if (picture.topology.nodes() > max_drawn_nodes)
    throw UsageError(fmt::format("a picture of {} nodes cannot be read: up to {}, or more as text",
                                 picture.topology.nodes(), max_drawn_nodes));
  Rounds rounds = rounds_of(picture);
  constexpr std::size_t most_panels = 24;
  if (rounds.panels.size() > most_panels) {
    rounds.left_out = static_cast<int>(rounds.panels.size() - most_panels);
    rounds.panels.resize(most_panels);
  }
  const bool boxed = picture.machines > 1, animated = picture.panels == Panels::animated;
  const std::size_t columns = boxed || animated
                                  ? 1
                                  : std::min(columns_for(picture.topology, rounds.panels.size()),
                                             std::size_t{picture.states ? 2U : 3U});
  const double cell = page_width / static_cast<double>(columns);
  Arrangement arrangement =
      boxed ? arrangement_on_machines(picture.topology, picture.machines, cell - 2 * margin)
            : vnode::arrangement(picture.topology,
                                 columns == 1 && !is_wide(picture.topology) && picture.topology.nodes() <= 16
                                     ? 500
                                     : cell - 90);
  arrangement.digits = picture.binary ? binary_digits(picture.topology) : 0;
  Drawing drawing{.title = picture.title, .description = described(picture)};
  std::vector<Drawing> parts;
  int labels_left_out = unnumbered(picture.topology, arrangement) * static_cast<int>(rounds.panels.size());
  for (const Panel& panel : rounds.panels) {
    const Arrangement held = with_states(arrangement, panel.states,
                                         strokes_of(panel, picture.topology, arrangement), picture.topology);
    const PanelMarks marks = marks_of(panel, picture.topology, held);
    labels_left_out += marks.left_out;
    parts.push_back(drawn(panel, marks, picture.topology, held));
  }
  const Box all = bounds(parts);
  const double below_caption = rounds.panels[0].caption.empty() ? 0 : 1.6 * caption_size;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t place = animated ? 0 : i;
    const auto column = static_cast<double>(place % columns), row = static_cast<double>(place / columns);
    Drawing& above = animated ? drawing.turns.emplace_back() : drawing;
    const Point top{std::max(cell, all.width + margin) * (column + 0.5),
                    (all.height + below_caption + 2 * margin) * row};
    add(above, std::move(parts[i]), top + Point{-all.x - all.width / 2, below_caption - all.y});
    if (!rounds.panels[i].caption.empty())
      above.labels.push_back(
          {rounds.panels[i].caption, top, caption_size, Anchor::middle, ink(Ink::text), true});
  }
  const double middle = std::max(cell, all.width + margin) * static_cast<double>(columns) / 2;
  add_below(drawing, legend_of(rounds, picture, labels_left_out), page_width - 2 * margin, middle);
  add_title(drawing, page_width - 2 * margin, middle);
  fit(drawing, margin, page_width, middle);
  return drawing;
}

}  // namespace vnode
