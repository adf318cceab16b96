#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/charts.hpp>

#include "draw/drawing.hpp"
#include "draw/geometry.hpp"
#include "draw/svg.hpp"

namespace vnode {
namespace {

double base(Plot::Unit unit) { return unit == Plot::Unit::bytes ? 2 : 10; }

double logarithm(Plot::Unit unit, double value) {
  return unit == Plot::Unit::bytes ? std::log2(value) : std::log10(value);
}

/// Returns the number in the largest unit of which it is at least one.
template <std::size_t N>
std::string in_units(double value, const std::array<std::pair<double, const char*>, N>& units) {
  std::size_t unit = 0;
  while (unit + 1 < N && value >= units[unit + 1].first * 0.999999) ++unit;
  return fmt::format("{:.4g}{}", value / units[unit].first, units[unit].second);
}

constexpr std::array<std::pair<double, const char*>, 5> byte_units{
    {{1, ""}, {1 << 10, "K"}, {1 << 20, "M"}, {1 << 30, "G"}, {1099511627776.0, "T"}}};
constexpr std::array<std::pair<double, const char*>, 5> second_units{
    {{1e-12, " ps"}, {1e-9, " ns"}, {1e-6, " us"}, {1e-3, " ms"}, {1, " s"}}};

/// Describes a logarithmic axis: which values it shows, where, and with which ticks.
class LogAxis {
 public:
  /// Shows `least` to `most`, 0 < least <= most, from pixel `first` to pixel `last`.
  LogAxis(Plot::Unit unit, double least, double most, double first, double last)
      : unit_(unit),
        least_(logarithm(unit, least)),
        most_(logarithm(unit, most)),
        first_(first),
        last_(last) {
    // There are at least two ticks, because a power of the base lies in every unit.
    const double room = std::max(1.1 - (most_ - least_), 0.0) / 2;
    least_ -= room;
    most_ += room;
  }

  /// Returns the pixel of a value.
  double at(double value) const {
    return first_ + (logarithm(unit_, value) - least_) / (most_ - least_) * (last_ - first_);
  }
  /// Returns the values of ticks, ascending, at least `apart` pixels from each other: 2 to about 10 powers of
  /// the unit's base; of the few powers of 10 also 2 and 5 times as much.
  std::vector<double> ticks(double apart) const {
    constexpr double tolerance = 1e-9;
    const double most_ticks = std::clamp(std::abs(last_ - first_) / apart, 1.0, 10.0);
    const double step = std::max(std::ceil((most_ - least_) / most_ticks), 1.0);
    std::vector<double> ticks;
    for (double power = std::ceil((least_ - tolerance) / step) * step; power <= most_ + tolerance;
         power += step)
      ticks.push_back(std::pow(base(unit_), power));
    constexpr std::size_t few = 4;
    const double to_twice = std::abs(last_ - first_) / (most_ - least_) * std::log10(2);
    if (base(unit_) != 10 || ticks.size() >= few || step > 1 || to_twice < apart) return ticks;
    ticks.clear();
    for (double power = std::floor(least_); power <= most_; ++power)
      for (const double times : {1.0, 2.0, 5.0})
        if (const double at = power + std::log10(times); at >= least_ - tolerance && at <= most_ + tolerance)
          ticks.push_back(times * std::pow(10, power));
    return ticks;
  }
  /// Returns "64K", "10 us" or "1000".
  std::string text(double value) const {
    switch (unit_) {
      case Plot::Unit::bytes:
        return in_units(value, byte_units);
      case Plot::Unit::seconds:
        return in_units(value, second_units);
      case Plot::Unit::number:
        break;
    }
    return fmt::format("{:g}", value);
  }

 private:
  Plot::Unit unit_;
  double least_, most_;  // logarithms of the unit's base
  double first_, last_;
};

// Pixels.
constexpr double plot_left = 66, plot_top = 76, plot_bottom = 52, least_width = 360, least_room = 100;
constexpr double apart_below = 42, apart_at_left = 26;     // ticks
constexpr double letter = 7.3, label_gap = 15, lead = 32;  // of labels: monospaced, 12 pixels high
constexpr std::size_t longest_label = 36;
constexpr double note_size = 12, note_line = 17, note_left = 16;

constexpr int shapes = 6, text_ink = ink(Ink::text);

std::string cut(const std::string& label) {
  if (label.size() <= longest_label) return label;
  std::size_t end = longest_label - 2;
  while (end > 0 && (static_cast<unsigned char>(label[end]) & 0xC0U) == 0x80U) --end;  // whole letters
  return label.substr(0, end) + "..";
}

double right_margin(const Plot& plot) {
  std::size_t longest = 0;
  for (const Plot::Line& line : plot.lines) longest = std::max(longest, cut(line.label).size());
  return lead + 8 + letter * static_cast<double>(longest);
}

void check(const Plot& plot) {
  if (plot.lines.empty()) throw UsageError("a plot needs at least one line");
  for (const Plot::Line& line : plot.lines) {
    if (line.points.empty())
      throw UsageError(fmt::format("the line {} of a plot has no points: it needs at least one", line.label));
    if (line.group < 0)
      throw UsageError(
          fmt::format("the line {} of a plot has group {}: groups are 0 or more", line.label, line.group));
    for (const Plot::Point& point : line.points)
      if (!(point.x > 0 && point.y > 0 && std::isfinite(point.x) && std::isfinite(point.y)))
        throw UsageError(fmt::format(
            "({}, {}) of the line {} is not a point on logarithmic axes: both numbers must be above 0",
            point.x, point.y, line.label));
  }
  if (!(plot.width >= std::max(least_width, plot_left + least_room + right_margin(plot))))
    throw UsageError(
        fmt::format("a plot {:g} pixels wide has no room for its lines beside their labels", plot.width));
}

/// Writes one plot.
class PlotWriter {
 public:
  PlotWriter(const Plot& plot, Theme theme)
      : plot_(plot),
        theme_(theme),
        right_(plot.width - right_margin(plot)),
        floor_(std::max(0.6 * std::max(plot.width, 600.0),
                        plot_top + plot_bottom + label_gap * static_cast<double>(plot.lines.size())) -
               plot_bottom),
        note_(folded(plot.note, note_size, plot.width - 2 * note_left)),
        x_(axis(plot.x.unit, &Plot::Point::x, plot_left, right_)),
        y_(axis(plot.y.unit, &Plot::Point::y, floor_, plot_top)) {}

  std::string drawing() {
    head();
    grid();
    for (const Plot::Line& line : plot_.lines) draw(line);
    labels();
    note();
    text_ += "</svg>\n";
    return std::move(text_);
  }

 private:
  LogAxis axis(Plot::Unit unit, double Plot::Point::*part, double first, double last) const {
    double least = plot_.lines.front().points.front().*part, most = least;
    for (const Plot::Line& line : plot_.lines)
      for (const Plot::Point& point : line.points)
        least = std::min(least, point.*part), most = std::max(most, point.*part);
    return {unit, least, most, first, last};
  }

  template <class... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  void head() {
    const double height =
        floor_ + plot_bottom + note_line * (note_.empty() ? 0 : 1 + static_cast<double>(note_.size()));
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:g} {:g}\" width=\"{:g}\" height=\"{:g}\" "
        "role=\"img\">\n<title>{}</title>\n<desc>{}</desc>\n{}<style>\n",
        plot_.width, height, plot_.width, height, escaped(plot_.title), escaped(description()),
        style(theme_));
    put("text {{ font-size: 12px }}\n.label {{ font-family: monospace }}\n"
        ".middle {{ text-anchor: middle }}\n.end {{ text-anchor: end }}\n"
        ".line {{ fill: none; stroke-width: 1.8; stroke-linejoin: round }}\n"
        ".dashed {{ stroke-dasharray: 5 4 }}\n.lead {{ fill: none; stroke-width: 0.8; opacity: 0.7 }}\n"
        ".grid {{ opacity: 0.5 }}\n</style>\n");
    put("<rect class=\"f{}\" width=\"{:g}\" height=\"{:g}\"/>\n", ink(Ink::background), plot_.width, height);
    const double size =
        std::min(16.0, (plot_.width - 2 * 16) / (0.62 * static_cast<double>(plot_.title.size() + 1)));
    put("<text class=\"f{}\" x=\"16\" y=\"28\" style=\"font-size: {:.1f}px; font-weight: 600\">{}</text>\n",
        text_ink, size, escaped(plot_.title));
    legend();
  }

  std::string description() const {
    std::string text = fmt::format("{} over {}, both axes logarithmic; lines:", plot_.y.title, plot_.x.title);
    for (const Plot::Line& line : plot_.lines)
      text += fmt::format("{} {}", &line == plot_.lines.data() ? "" : ",", line.label);
    return text;
  }

  void legend() {
    double x = plot_left;
    for (const Plot::Key& key : plot_.legend) {
      put("<path class=\"line s{}{}\" d=\"M{:.1f} 50h34\"/>\n<text class=\"f{}\" x=\"{:.1f}\" "
          "y=\"54\">{}</text>\n",
          text_ink, dashes(key.stroke), x, text_ink, x + 42, escaped(key.text));
      x += 42 + letter * static_cast<double>(key.text.size()) + 24;
    }
  }

  void grid() {
    for (const double tick : x_.ticks(apart_below)) {
      const double x = x_.at(tick);
      put("<path class=\"grid s{}\" d=\"M{:.1f} {:g}V{:g}\"/>\n", ink(Ink::link), x, plot_top, floor_);
      put("<text class=\"middle f{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", text_ink, x, floor_ + 18,
          x_.text(tick));
    }
    for (const double tick : y_.ticks(apart_at_left)) {
      const double y = y_.at(tick);
      put("<path class=\"grid s{}\" d=\"M{:g} {:.1f}H{:.1f}\"/>\n", ink(Ink::link), plot_left, y, right_);
      put("<text class=\"end f{}\" x=\"{:g}\" y=\"{:.1f}\">{}</text>\n", text_ink, plot_left - 8, y + 4,
          y_.text(tick));
    }
    put("<text class=\"middle f{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", text_ink,
        (plot_left + right_) / 2, floor_ + 40, escaped(plot_.x.title));
    put("<text class=\"f{}\" x=\"8\" y=\"{:.1f}\">{}</text>\n", text_ink, plot_top - 10,
        escaped(plot_.y.title));
  }

  static std::string_view dashes(Plot::Stroke stroke) {
    return stroke == Plot::Stroke::dashed ? " dashed" : "";
  }

  void draw(const Plot::Line& line) {
    const int colour = hue(line.group);
    std::string way;
    for (const Plot::Point& point : line.points)
      way += fmt::format("{}{:.1f} {:.1f}", way.empty() ? "M" : "L", x_.at(point.x), y_.at(point.y));
    put("<path class=\"line s{}{}\" d=\"{}\"/>\n", colour, dashes(line.stroke), way);
    way.clear();
    for (const Plot::Point& point : line.points) way += mark(line.group, x_.at(point.x), y_.at(point.y));
    put("<path class=\"f{}\" d=\"{}\"/>\n", colour, way);
  }

  /// Returns the mark of a group: a disc, a square, a triangle, a diamond, a triangle on its tip or a bar. No
  /// group of the first 36 has both mark and colour of another, and neighbours have neither in common.
  static std::string mark(int group, double x, double y) {
    switch ((group + group / hues) % shapes) {
      case 0:
        return fmt::format("M{:.1f} {:.1f}a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0z", x - 2.6, y);
      case 1:
        return fmt::format("M{:.1f} {:.1f}h5.6v5.6h-5.6z", x - 2.8, y - 2.8);
      case 2:
        return fmt::format("M{:.1f} {:.1f}l3.6 6.4h-7.2z", x, y - 3.8);
      case 3:
        return fmt::format("M{:.1f} {:.1f}l3.8 3.8l-3.8 3.8l-3.8 -3.8z", x, y - 3.8);
      case 4:
        return fmt::format("M{:.1f} {:.1f}l3.6 -6.4h-7.2z", x, y + 3.8);
      default:
        return fmt::format("M{:.1f} {:.1f}h3v8h-3z", x - 1.5, y - 4);
    }
  }

  /// Writes the labels beside the ends of their lines, apart from each other.
  void labels() {
    const auto end = [&](const Plot::Line* line) { return y_.at(line->points.back().y); };
    std::vector<const Plot::Line*> labelled;
    for (const Plot::Line& line : plot_.lines)
      if (!line.label.empty()) labelled.push_back(&line);
    std::ranges::stable_sort(labelled, {}, end);
    std::vector<double> wanted;
    for (const Plot::Line* const line : labelled) wanted.push_back(end(line));
    const std::vector<double> places = spread(wanted, label_gap, plot_top, floor_);
    for (std::size_t i = 0; i < labelled.size(); ++i) {
      const Plot::Line& line = *labelled[i];
      const double x = x_.at(line.points.back().x);
      put("<path class=\"lead s{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}H{:.1f}\"/>\n", hue(line.group), x + 5,
          wanted[i], right_ + lead - 14, places[i], right_ + lead - 11);
      put("<path class=\"f{}\" d=\"{}\"/>\n", hue(line.group),
          mark(line.group, right_ + lead - 7, places[i]));
      put("<text class=\"label f{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", hue(line.group), right_ + lead,
          places[i] + 4, escaped(cut(line.label)));
    }
  }

  void note() {
    double y = floor_ + plot_bottom + note_line;
    for (const std::string& line : note_) {
      put("<text class=\"f{}\" x=\"{:g}\" y=\"{:.1f}\">{}</text>\n", ink(Ink::faint), note_left, y,
          escaped(line));
      y += note_line;
    }
  }

  const Plot& plot_;
  const Theme theme_;
  const double right_, floor_;
  const std::vector<std::string> note_;
  const LogAxis x_, y_;
  std::string text_;
};

}  // namespace

double narrow_width(const Plot& plot) { return plot_left + 270 + right_margin(plot); }

std::string to_svg(const Plot& plot, Theme theme) {
  check(plot);
  return PlotWriter(plot, theme).drawing();
}

}  // namespace vnode
