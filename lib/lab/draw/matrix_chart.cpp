#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include <vnode/error.hpp>
#include <vnode/lab/charts.hpp>

#include "draw/drawing.hpp"
#include "draw/svg.hpp"

namespace vnode {
namespace {

/// Sorts the values of a matrix into steps of the scale from cold to hot.
class Scale {
 public:
  explicit Scale(const MatrixChart& chart) {
    const std::size_t rows = chart.values.size();
    if (rows < 2 || rows > max_drawn_rows || chart.labels.size() != rows)
      throw UsageError(fmt::format("a matrix to be drawn has 2 to {} rows, each with a label: not {} and {}",
                                   max_drawn_rows, rows, chart.labels.size()));
    for (const std::vector<double>& row : chart.values) {
      if (row.size() != rows)
        throw UsageError(
            fmt::format("a matrix of {} rows has one of {} columns: expected a square", rows, row.size()));
      for (const double value : row)
        if (value > 0) least_ = std::min(least_, value), most_ = std::max(most_, value);
    }
    if (most_ == 0) throw UsageError("a matrix without a known value cannot be drawn");
  }
  /// Returns 0 to heats - 1.
  int step(double value) const {
    if (most_ <= least_) return 0;
    const double share = std::log(value / least_) / std::log(most_ / least_);
    return std::clamp(static_cast<int>(share * heats), 0, heats - 1);
  }
  /// Returns where a step begins.
  double from(int step) const { return least_ * std::pow(most_ / least_, static_cast<double>(step) / heats); }
  int steps() const { return most_ > least_ ? heats : 1; }
  double most() const { return most_; }

 private:
  double least_ = std::numeric_limits<double>::infinity(), most_ = 0;
};

std::string range_text(const Scale& scale, int step, const std::string& unit) {
  return scale.steps() == 1
             ? fmt::format("{:.3g} {}", scale.most(), unit)
             : fmt::format("{:.3g} to {:.3g} {}", scale.from(step), scale.from(step + 1), unit);
}

}  // namespace

std::string to_svg(const MatrixChart& chart, Theme theme) {
  const Scale scale(chart);
  const std::size_t rows = chart.values.size();
  constexpr double most_cells = 640, letter_size = 10;
  const double cell = std::clamp(most_cells / static_cast<double>(rows), 2.0, 32.0);
  // Labels of rows that are too near to each other would cover each other.
  const auto every = static_cast<std::size_t>(std::ceil((letter_size + 3) / cell));
  Drawing drawing{.title = chart.title, .description = chart.title + ":"};
  for (std::size_t row = 0; row < rows; ++row) {
    const double y = static_cast<double>(row) * cell;
    if (row % every == 0)
      drawing.labels.push_back(
          {chart.labels[row], {-6, y + cell / 2}, letter_size, Anchor::end, ink(Ink::text)});
    // Labels of columns are wider than high.
    if (row % (every * (cell < 20 ? 2 : 1)) == 0)
      drawing.labels.push_back(
          {chart.labels[row], {y + cell / 2, -10}, letter_size, Anchor::middle, ink(Ink::text)});
    for (std::size_t column = 0; column < rows; ++column) {
      const double value = chart.values[row][column];
      if (!(value > 0)) continue;
      const int fill = heat(scale.step(value));
      drawing.rectangles.push_back({{static_cast<double>(column) * cell, y, cell, cell}, fill, fill});
    }
  }
  Legend legend;
  for (int step = 0; step < scale.steps(); ++step) {
    legend.patch(range_text(scale, step, chart.unit), heat(step));
    drawing.description += ' ' + range_text(scale, step, chart.unit) + ';';
  }
  const double width = cell * static_cast<double>(rows);
  add_below(drawing, legend, std::max(width, 400.0), width / 2);
  add_note(drawing, chart.note, std::max(width, 400.0), width / 2);
  add_title(drawing, std::max(width, 400.0), width / 2);
  fit(drawing, 20, 480, width / 2);
  return to_svg(drawing, theme);
}

std::string to_text(const MatrixChart& chart, std::size_t width) {
  const Scale scale(chart);
  const std::size_t rows = chart.values.size();
  std::size_t wide = 0;
  for (const std::string& label : chart.labels) wide = std::max(wide, label.size());
  const std::size_t digits = std::max(fmt::format("{:.0f}", scale.most()).size(), wide) + 1;
  std::string text = chart.title + '\n';
  if (wide + rows * digits <= width) {
    text += std::string(wide, ' ');
    for (const std::string& label : chart.labels) text += fmt::format("{:>{}}", label, digits);
    for (std::size_t row = 0; row < rows; ++row) {
      text += fmt::format("\n{:>{}}", chart.labels[row], wide);
      for (const double value : chart.values[row])
        text += fmt::format("{:>{}}", value > 0 ? fmt::format("{:.0f}", value) : "-", digits);
    }
    return text + fmt::format("\n({})\n", chart.unit);
  }
  static constexpr char letter[] = ".:-=*#";
  static_assert(sizeof letter == heats + 1);
  const std::size_t room = width - wide - 1, every = (rows + room - 1) / room;
  for (std::size_t row = 0; row < rows; row += every) {
    text += fmt::format("{:>{}} ", chart.labels[row], wide);
    for (std::size_t column = 0; column < rows; column += every) {
      const double value = chart.values[row][column];
      text += value > 0 ? letter[scale.step(value)] : ' ';
    }
    text += '\n';
  }
  if (every > 1) text += fmt::format("(one of {} rows and columns)\n", every);
  for (int step = 0; step < scale.steps(); ++step)
    text += fmt::format("{} {}\n", letter[step], range_text(scale, step, chart.unit));
  return text;
}

}  // namespace vnode
