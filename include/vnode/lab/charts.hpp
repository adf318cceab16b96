#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <vnode/lab/draw.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes a plot of lines over two logarithmic axes.
struct Plot {
  /// Names the unit of an axis, for the text of its ticks.
  enum class Unit {
    number,   ///< 1, 10, 100
    bytes,    ///< 1K, 64K, 1M: powers of two
    seconds,  ///< 1 ns, 10 us, 100 ms
  };
  /// Names the look of a line.
  enum class Stroke { solid, dashed };

  /// Describes a point; both coordinates are more than 0.
  struct Point {
    double x = 0;  ///< position along the axis below
    double y = 0;  ///< position along the axis at the left
    friend bool operator==(const Point&, const Point&) = default;
  };
  /// Describes a line through points, in their order.
  struct Line {
    std::string label{};          ///< beside its last point; empty: none
    std::vector<Point> points{};  ///< at least one
    int group = 0;  ///< lines of one group, from 0, have one colour and one mark; up to 36 differ
    Stroke stroke = Stroke::solid;  ///< tells the lines of a group apart
  };
  /// Describes the title and unit of an axis.
  struct Axis {
    std::string title{};       ///< "m, bytes"
    Unit unit = Unit::number;  ///< unit of its values
  };
  /// Describes an entry of the legend: the meaning of a stroke.
  struct Key {
    Stroke stroke = Stroke::solid;  ///< this one
    std::string text{};             ///< "measured"
  };

  std::string title{};        ///< above everything
  Axis x{};                   ///< below
  Axis y{};                   ///< at the left
  std::vector<Line> lines{};  ///< at least one
  std::vector<Key> legend{};  ///< in a row below the title
  std::string note{};         ///< below everything, in as many lines as it needs
  double width = 800;         ///< pixels, 360 at least: a narrow plot stays readable on a small screen
};

/// Returns the width at which 270 pixels are left for lines beside the labels: that of a plot that is to be
/// read on a phone. O(lines).
double narrow_width(const Plot& plot);

/// Returns the plot as SVG, as wide as it says and as high as its labels need: every label stands beside the
/// end of its line, as near as the others allow, joined to it. Labels of more than 36 letters are cut. Throws
/// UsageError without a line, for a line without points, for a point that is not above 0 and where labels
/// leave no room for lines. O(points + lines^2).
std::string to_svg(const Plot& plot, Theme theme = Theme::automatic);

/// Describes matrices of numbers, such as latencies between PUs, or bandwidths by mapping and bank, whose
/// cells are coloured.
struct MatrixChart {
  /// Describes one matrix, which has a scale of its own.
  struct Panel {
    std::string caption{};                      ///< above it; empty: none
    std::vector<std::vector<double>> values{};  ///< by row and column; 0 or less: unknown
  };
  std::string title{};                 ///< above everything
  std::string note{};                  ///< below the title, smaller
  std::string unit{};                  ///< of the numbers: "ns"
  std::vector<std::string> labels{};   ///< of rows
  std::vector<std::string> columns{};  ///< of columns; none: the same as of rows
  std::vector<Panel> panels{};         ///< one below the other, at least one
};
/// A matrix has at most so many rows or columns.
inline constexpr std::size_t max_drawn_rows = 512;

/// Returns the matrices as SVG, with cells in up to six colours, which are equal steps of the logarithm from
/// the least value of the matrix to the greatest; of up to 16 columns with the numbers. Throws UsageError for
/// no cell, more than max_drawn_rows rows or columns, rows of another length, and where no value is known.
/// O(values).
std::string to_svg(const MatrixChart& chart, Theme theme = Theme::automatic);
/// Returns the matrices for a terminal of `width` columns: numbers if they find room, else a letter for each
/// cell, of every k-th row and column if there are too many. Throws as to_svg() does.
std::string to_text(const MatrixChart& chart, std::size_t width = 80);

/// Describes the result of a measurement as a page: words, a chart, tables. All texts are shown as given.
struct ReportPage {
  /// Describes a table: a row of names, and rows with as many cells.
  struct Table {
    std::string caption{};                         ///< above it
    std::vector<std::string> head{};               ///< the names
    std::vector<std::vector<std::string>> rows{};  ///< from top to bottom
  };
  /// Describes a table, and the plot beside it.
  struct Figure {
    std::optional<Plot> plot{};  ///< at the left, or above on a small screen
    Table table{};               ///< at the right, or below
  };
  /// Describes figures of one thing.
  struct Section {
    std::string title{};            ///< above them, and in the list of sections
    std::vector<Figure> figures{};  ///< one below the other
  };
  std::string title{};                 ///< of the page
  std::vector<std::string> words{};    ///< below the title, a paragraph each
  std::optional<MatrixChart> chart{};  ///< then a picture
  std::vector<Table> tables{};         ///< then these
  std::vector<Section> sections{};     ///< then these, and before them, if there are several, their list
  std::vector<std::string> notes{};    ///< and what there is to say of them, a paragraph each
};

/// Returns the page: one HTML file that needs no network and no script. Throws what to_svg() throws.
/// O(texts).
std::string page(const ReportPage& report, Theme theme = Theme::automatic);

}  // namespace vnode
#pragma GCC visibility pop
