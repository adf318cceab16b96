#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include <vnode/error.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
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

// Rows of nodes with their ranks, as many as can be read, and above them what run it is.
void add_rows(Drawing& drawing, const Timeline& run, double top, double step) {
  const int every = std::max(1, static_cast<int>(std::ceil(1.3 * axis_size / step)));
  for (Rank rank = 0; rank < run.nodes; ++rank) {
    const double y = top + step * rank;
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
    const double bottom = top + step * std::max(0, nodes - 1);
    add_axis(drawing, seconds, top - 8, bottom + 8);
    add_rows(drawing, run, top, step);
    for (const TimedMessage& message : run.messages) {
      const auto x = [&](double time) {
        return axis_left + (seconds > 0 ? (axis_right - axis_left) * time / seconds : 0);
      };
      drawing.strokes.push_back({.points = {{x(message.start), top + step * message.from},
                                            {x(message.end), top + step * message.to}},
                                 .ink = hue(message.round),
                                 .width = std::clamp(step / 12, 0.6, 1.6),
                                 .head = std::clamp(step / 2.5, 3.0, 8.0)});
      rounds.insert(message.round);
    }
    top = bottom + 54;
  }
  Legend legend;
  for (const int round : rounds)
    if (round < hues) legend.line(fmt::format("round {}", round + 1), hue(round));
  if (!rounds.empty() && *rounds.rbegin() >= hues) legend.words("and so on");
  add_below(drawing, legend, axis_right - axis_left, (axis_left + axis_right) / 2);
  drawing.description = fmt::format(
      "{} from top to bottom, time from left to right, one arrow for each message", counted(nodes, "node"));
  for (const Timeline& run : picture.runs)
    drawing.description += fmt::format(". {}: {} in {}", run.title, counted(run.messages.size(), "message"),
                                       time_text(run.seconds));
  add_title(drawing, axis_right - axis_left, (axis_left + axis_right) / 2);
  fit(drawing, 16, 800, bounds(drawing).x + bounds(drawing).width / 2);
  return drawing;
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
    for (Rank rank = 0; rank < run.nodes; ++rank) text += fmt::format("{:>5} {}\n", rank, at(lines, rank));
  }
  return text +
         fmt::format("      0{:>63}\n      digits: the round of what a node receives\n", time_text(seconds));
}

std::string draw(const SpaceTimePicture& picture, Pen pen, Theme theme) {
  return pen == Pen::text ? text_of(picture) : to_svg(drawing_of(picture), theme);
}

}  // namespace vnode
