#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include <vnode/error.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "draw/arrangement.hpp"
#include "draw/drawing.hpp"
#include "draw/pictures.hpp"
#include "draw/svg.hpp"

namespace vnode {
namespace {

constexpr double axis_left = 64, axis_right = 770, axis_size = 11;

// The time that the picture is wide.
double whole_time(const SpaceTimePicture& picture) {
  double most = 0;
  for (const Timeline& run : picture.runs) {
    most = std::max(most, run.seconds);
    for (const TimedMessage& message : run.messages) most = std::max(most, message.end);
  }
  return most;
}

void check(const SpaceTimePicture& picture) {
  if (picture.runs.empty()) throw UsageError("a space-time diagram needs a run");
  check_machines(picture.runs[0].nodes, picture.machines);
  for (const Timeline& run : picture.runs) {
    if (run.nodes != picture.runs[0].nodes)
      throw UsageError(fmt::format("runs of {} and of {} nodes have no common space-time diagram",
                                   picture.runs[0].nodes, run.nodes));
    for (const TimedMessage& message : run.messages)
      if (std::min(message.from, message.to) < 0 || std::max(message.from, message.to) >= run.nodes)
        throw UsageError(fmt::format("there is no message {}>{} among {}", message.from, message.to,
                                     counted(run.nodes, "node")));
  }
}

/// Says where the rows of nodes are: those of each machine stand together, with a gap between machines.
struct Rows {
  double top, step, gap;
  int nodes, of_machine;
  int machine(Rank rank) const { return rank / of_machine; }
  double y(Rank rank) const { return top + step * rank + gap * machine(rank); }
  double bottom() const { return nodes > 0 ? y(nodes - 1) : top; }
};

/// Draws a box for each machine, and as many of their numbers as can be read.
void add_machines(Drawing& drawing, const Rows& rows) {
  const double space = rows.gap / 3, pitch = rows.step * rows.of_machine + rows.gap;
  const int every = std::max(1, static_cast<int>(std::ceil(1.3 * axis_size / pitch)));
  for (Rank first = 0; first < rows.nodes; first += rows.of_machine) {
    const double above = rows.y(first) - space, below = rows.y(first + rows.of_machine - 1) + space;
    drawing.rectangles.push_back({.box = {axis_left, above, axis_right - axis_left, below - above},
                                  .ink = ink(Ink::link),
                                  .fill = ink(Ink::background),
                                  .rounding = std::min(4.0, space)});
    if (rows.machine(first) % every == 0)
      drawing.labels.push_back({.text = fmt::format("machine {}", rows.machine(first)),
                                .at = {axis_right + 10, (above + below) / 2},
                                .size = axis_size,
                                .anchor = Anchor::start,
                                .ink = ink(Ink::faint)});
  }
}

/// Draws a line for each node, with as many ranks as can be read.
void add_nodes(Drawing& drawing, const Rows& rows) {
  const int every = std::max(1, static_cast<int>(std::ceil(1.3 * axis_size / rows.step)));
  for (Rank rank = 0; rank < rows.nodes; ++rank) {
    const double y = rows.y(rank);
    drawing.strokes.push_back(
        {.points = {{axis_left, y}, {axis_right, y}}, .ink = ink(Ink::link), .width = 0.8});
    if (rank % every == 0)
      drawing.labels.push_back(
          {std::to_string(rank), {axis_left - 8, y}, axis_size, Anchor::end, ink(Ink::faint)});
  }
}

void add_axis(Drawing& drawing, double seconds, double top, double bottom) {
  constexpr int parts = 7;
  const double step = tick(seconds, parts);
  for (int i = 0; step > 0 && step * i <= seconds * 1.0001; ++i) {
    const double x = axis_left + (axis_right - axis_left) * step * i / seconds;
    drawing.strokes.push_back(
        {.points = {{x, top}, {x, bottom + 4}}, .ink = ink(Ink::link), .width = 0.6, .dashed = true});
    drawing.labels.push_back(
        {.text = time_text(step * i), .at = {x, bottom + 14}, .size = axis_size, .ink = ink(Ink::faint)});
  }
}

// A line of the chart per node, 64 characters wide: the digit of the round where a message of it is on its
// way to the node, the last one where several are.
std::string text_of(const SpaceTimePicture& picture) {
  check(picture);
  constexpr int width = 64;
  const double seconds = whole_time(picture);
  std::string text = picture.title + '\n';
  for (const Timeline& run : picture.runs) {
    text += fmt::format("\n{}: {}\n", run.title, time_text(run.seconds));
    std::vector<std::string> lines(static_cast<std::size_t>(run.nodes), std::string(width, '.'));
    for (const TimedMessage& message : run.messages) {
      const auto column = [&](double time) {
        return seconds > 0 ? std::clamp(static_cast<int>(time / seconds * width), 0, width - 1) : 0;
      };
      const int first = column(message.start);
      const int last =
          std::max(first, static_cast<int>(std::ceil(message.end / std::max(seconds, 1e-300) * width)) - 1);
      for (int i = first; i <= std::min(last, width - 1); ++i)
        at(at(lines, message.to), i) = static_cast<char>('0' + (message.round + 1) % 10);
    }
    for (Rank rank = 0; rank < run.nodes; ++rank) {
      if (picture.machines > 1 && rank % (run.nodes / picture.machines) == 0)
        text += fmt::format("machine {}\n", rank / (run.nodes / picture.machines));
      text += fmt::format("{:>5} {}\n", rank, at(lines, rank));
    }
  }
  return text +
         fmt::format("      0{:>63}\n      digits: the round of what a node receives\n", time_text(seconds));
}

}  // namespace

std::string time_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.4g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.4g} ms", seconds * 1e3);
  if (seconds >= 1e-6) return fmt::format("{:.4g} us", seconds * 1e6);
  return seconds > 0 ? fmt::format("{:.4g} ns", seconds * 1e9) : "0";
}

double tick(double seconds, int parts) {
  if (!(seconds > 1e-18)) return 0;
  const double power = std::pow(10, std::floor(std::log10(seconds / parts)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (seconds / (factor * power) <= parts) return factor * power;
  return 10 * power;
}

Drawing drawing_of(const SpaceTimePicture& picture) {
  check(picture);
  const int nodes = picture.runs[0].nodes;
  if (nodes > max_drawn_nodes)
    throw UsageError(
        fmt::format("a space-time diagram of {} nodes cannot be read: up to {}", nodes, max_drawn_nodes));
  const double seconds = whole_time(picture), step = std::clamp(360.0 / std::max(1, nodes), 2.0, 26.0);
  const double gap = picture.machines > 1 ? std::max(6.0, 0.6 * step) : 0;
  Drawing drawing{.title = picture.title};
  std::set<int> rounds;
  double top = 0;
  for (const Timeline& run : picture.runs) {
    const std::string duration = ": " + time_text(run.seconds);
    Label heading{run.title, {axis_left, top}, 13, Anchor::start, ink(Ink::text), true};
    heading = cut(std::move(heading), axis_right - axis_left - width_of(duration, heading.size, true));
    heading.text += duration;
    drawing.labels.push_back(std::move(heading));
    top += 26;
    const Rows rows{top, step, gap, nodes, std::max(1, nodes / picture.machines)};
    const double bottom = rows.bottom();
    if (picture.machines > 1) add_machines(drawing, rows);
    add_axis(drawing, seconds, top - 8, bottom + 8);
    add_nodes(drawing, rows);
    for (const TimedMessage& message : run.messages) {
      const auto x = [&](double time) {
        return axis_left + (seconds > 0 ? (axis_right - axis_left) * time / seconds : 0);
      };
      const bool crosses = rows.machine(message.from) != rows.machine(message.to);
      drawing.strokes.push_back(
          {.points = {{x(message.start), rows.y(message.from)}, {x(message.end), rows.y(message.to)}},
           .ink = hue(message.round),
           .width = std::clamp(step / 12, 0.6, 1.6) * (crosses ? 1.8 : 1),
           .head = std::clamp(step / 2.5, 3.0, 8.0)});
      rounds.insert(message.round);
    }
    top = bottom + 54;
  }
  Legend legend;
  for (const int round : rounds)
    if (round < hues) legend.line(fmt::format("round {}", round + 1), hue(round));
  if (!rounds.empty() && *rounds.rbegin() >= hues) legend.words("and so on");
  if (picture.machines > 1) legend.line("between machines: wider", ink(Ink::faint), false, 3);
  add_below(drawing, legend, axis_right - axis_left, (axis_left + axis_right) / 2);
  drawing.description = fmt::format(
      "{}{} from top to bottom, time from left to right, one arrow for each message", counted(nodes, "node"),
      picture.machines > 1 ? fmt::format(" on {} machines", picture.machines) : "");
  for (const Timeline& run : picture.runs)
    drawing.description += fmt::format(". {}: {} in {}", run.title, counted(run.messages.size(), "message"),
                                       time_text(run.seconds));
  add_title(drawing, axis_right - axis_left, (axis_left + axis_right) / 2);
  fit(drawing, 16, 800, bounds(drawing).x + bounds(drawing).width / 2);
  return drawing;
}

std::string draw(const SpaceTimePicture& picture, Pen pen, Theme theme) {
  return pen == Pen::text ? text_of(picture) : to_svg(drawing_of(picture), theme);
}

}  // namespace vnode
