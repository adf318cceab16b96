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

const std::vector<std::string>& columns_of(const MatrixChart& chart) {
  return chart.columns.empty() ? chart.labels : chart.columns;
}

void check(const MatrixChart& chart) {
  const std::size_t rows = chart.labels.size(), columns = columns_of(chart).size();
  if (rows * columns == 0 || std::max(rows, columns) > max_drawn_rows)
    throw UsageError(fmt::format("a matrix to be drawn has 1 to {} rows and columns: not {} x {}",
                                 max_drawn_rows, rows, columns));
  if (chart.panels.empty()) throw UsageError("a picture of matrices needs at least one");
  for (const MatrixChart::Panel& panel : chart.panels) {
    if (panel.values.size() != rows)
      throw UsageError(fmt::format("a matrix has {} rows and labels for {}", panel.values.size(), rows));
    for (const std::vector<double>& row : panel.values)
      if (row.size() != columns)
        throw UsageError(fmt::format("a matrix of {} columns has a row with {} values", columns, row.size()));
  }
}

/// Sorts the values of a matrix into steps of the scale from cold to hot.
class Scale {
 public:
  explicit Scale(const MatrixChart::Panel& panel) {
    for (const std::vector<double>& row : panel.values)
      for (const double value : row)
        if (value > 0) least_ = std::min(least_, value), most_ = std::max(most_, value);
    if (most_ == 0) throw UsageError("a matrix without a known value cannot be drawn");
    // Values that are nearly the same are to look nearly the same.
    if (most_ > least_) least_ = std::min(least_, most_ / 2);
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

/// Says how large the cells of a picture are, and which labels find room, in pixels.
struct Grid {
  static constexpr double letters = 11, gap = 6;

  explicit Grid(const MatrixChart& chart) {
    constexpr std::size_t most_columns = 16;
    constexpr double most_label = 150, most_cells = 640;
    const std::vector<std::string>& columns = columns_of(chart);
    numbers = columns.size() <= most_columns;
    if (numbers) {
      height = 22;
      for (const std::string& column : columns)
        width = std::max(width, std::min(width_of(column, letters, true) + 2 * gap, most_label));
    } else {
      height = width = std::clamp(
          most_cells / static_cast<double>(std::max(columns.size(), chart.labels.size())), 2.0, 32.0);
      // Labels of rows that are too near to each other would cover each other; those of columns are wide.
      every_row = static_cast<std::size_t>(std::ceil((letters + 2) / height));
      every_column = every_row * (height < 20 ? 2 : 1);
    }
  }
  bool numbers = false;  // are written into the cells
  double width = 44, height = 22;
  std::size_t every_row = 1, every_column = 1;
};

void draw_cell(Drawing& drawing, const Grid& grid, const Scale& scale, Point at, double value) {
  const int step = scale.step(value);
  drawing.rectangles.push_back({{at.x, at.y, grid.width, grid.height}, heat(step), heat(step)});
  if (grid.numbers)
    drawing.labels.push_back({.text = fmt::format("{:.3g}", value),
                              .at = at + Point{grid.width / 2, grid.height / 2},
                              .size = Grid::letters,
                              .ink = ink(step < heats / 2 ? Ink::text : Ink::background),
                              .bold = value == scale.most() && scale.steps() > 1});
}

Drawing drawn(const MatrixChart& chart, const MatrixChart::Panel& panel, const Grid& grid) {
  const Scale scale(panel);
  const std::vector<std::string>& columns = columns_of(chart);
  Drawing drawing;
  for (std::size_t column = 0; column < columns.size(); column += grid.every_column)
    drawing.labels.push_back(cut({.text = columns[column],
                                  .at = {(static_cast<double>(column) + 0.5) * grid.width, -10},
                                  .size = Grid::letters,
                                  .ink = ink(Ink::text)},
                                 grid.width * static_cast<double>(grid.every_column)));
  for (std::size_t row = 0; row < chart.labels.size(); ++row) {
    const double y = static_cast<double>(row) * grid.height;
    if (row % grid.every_row == 0)
      drawing.labels.push_back(
          {chart.labels[row], {-Grid::gap, y + grid.height / 2}, Grid::letters, Anchor::end, ink(Ink::text)});
    for (std::size_t column = 0; column < columns.size(); ++column)
      if (const double value = panel.values[row][column]; value > 0)
        draw_cell(drawing, grid, scale, {static_cast<double>(column) * grid.width, y}, value);
  }
  Legend legend;
  for (int step = 0; step < scale.steps() && !grid.numbers; ++step)
    legend.patch(range_text(scale, step, chart.unit), heat(step));
  const double width = grid.width * static_cast<double>(columns.size());
  if (!grid.numbers) add_below(drawing, legend, std::max(width, 400.0), width / 2);
  if (!panel.caption.empty())
    drawing.labels.push_back(
        {panel.caption, {0, bounds(drawing).y - 12}, 13, Anchor::start, ink(Ink::text), true});
  return drawing;
}

std::string text_of(const MatrixChart& chart, const MatrixChart::Panel& panel, std::size_t width) {
  const Scale scale(panel);
  const std::vector<std::string>& columns = columns_of(chart);
  std::size_t wide = 0, digits = fmt::format("{:.0f}", scale.most()).size();
  for (const std::string& label : chart.labels) wide = std::max(wide, label.size());
  for (const std::string& column : columns) digits = std::max(digits, column.size());
  ++digits;
  std::string text = panel.caption.empty() ? "" : panel.caption + '\n';
  if (wide + columns.size() * digits <= width) {
    text += std::string(wide, ' ');
    for (const std::string& column : columns) text += fmt::format("{:>{}}", column, digits);
    for (std::size_t row = 0; row < chart.labels.size(); ++row) {
      text += fmt::format("\n{:>{}}", chart.labels[row], wide);
      for (const double value : panel.values[row])
        text += fmt::format("{:>{}}", value > 0 ? fmt::format("{:.0f}", value) : "-", digits);
    }
    return text + fmt::format("\n({})\n", chart.unit);
  }
  static constexpr char letter[] = ".:-=*#";
  static_assert(sizeof letter == heats + 1);
  const std::size_t room = width - wide - 1, every = (columns.size() + room - 1) / room;
  for (std::size_t row = 0; row < chart.labels.size(); row += every) {
    text += fmt::format("{:>{}} ", chart.labels[row], wide);
    for (std::size_t column = 0; column < columns.size(); column += every) {
      const double value = panel.values[row][column];
      text += value > 0 ? letter[scale.step(value)] : ' ';
    }
    text += '\n';
  }
  if (every > 1) text += fmt::format("(one of {} rows and columns)\n", every);
  for (int step = 0; step < scale.steps(); ++step)
    text += fmt::format("{} {}\n", letter[step], range_text(scale, step, chart.unit));
  return text;
}

}  // namespace

std::string to_svg(const MatrixChart& chart, Theme theme) {
  check(chart);
  const Grid grid(chart);
  Drawing drawing{.title = chart.title, .description = fmt::format("{}, in {}", chart.note, chart.unit)};
  double below = 0;
  for (const MatrixChart::Panel& panel : chart.panels) {
    Drawing part = drawn(chart, panel, grid);
    const Box box = bounds(part);
    drawing.description += panel.caption.empty() ? "" : "; " + panel.caption;
    add(drawing, std::move(part), {0, below - box.y});
    below += box.height + 22;
  }
  const double width = grid.width * static_cast<double>(columns_of(chart).size());
  if (grid.numbers) {
    Legend legend;
    legend.words(fmt::format("numbers: {}; the greatest of each in bold", chart.unit));
    add_below(drawing, legend, std::max(width, 400.0), width / 2);
  }
  add_note(drawing, chart.note, std::max(width, 480.0), width / 2);
  add_title(drawing, std::max(width, 480.0), width / 2);
  fit(drawing, 20, 480, width / 2);
  return to_svg(drawing, theme);
}

std::string to_text(const MatrixChart& chart, std::size_t width) {
  check(chart);
  std::string text = chart.title + '\n';
  for (const MatrixChart::Panel& panel : chart.panels) text += text_of(chart, panel, width);
  return text;
}

}  // namespace vnode
