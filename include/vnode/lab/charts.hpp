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

/// Describes a chart of bars over one linear axis, in clusters.
struct BarChart {
  /// Describes a bar, whose length is a value.
  struct Bar {
    std::string label{};    ///< at the left
    double value = 0;       ///< at least 0
    std::string text{};     ///< behind its end: the value with its unit
    int group = 0;          ///< bars of one group, from 0, have one colour
    bool outlined = false;  ///< empty inside: to tell what is predicted from what is measured
  };
  /// Describes bars that belong together.
  struct Cluster {
    std::string title{};      ///< above them
    std::vector<Bar> bars{};  ///< at least one
  };
  /// Describes an entry of the legend: the meaning of a colour or an outline.
  struct Key {
    std::string text{};     ///< "banks: one, predicted"
    int group = 0;          ///< its colour
    bool outlined = false;  ///< how it looks
  };

  std::string title{};              ///< above everything
  std::string note{};               ///< below the title, smaller
  std::vector<Cluster> clusters{};  ///< at least one
  std::vector<Key> legend{};        ///< below everything
};

/// A chart has at most so many bars.
inline constexpr std::size_t max_drawn_bars = 600;

/// Returns the chart as SVG, 800 pixels wide. Throws UsageError without a bar, for more than max_drawn_bars,
/// and for a value that is not a number from 0 on. O(bars).
std::string to_svg(const BarChart& chart, Theme theme = Theme::automatic);

/// Describes a square matrix of numbers, such as latencies between PUs, whose cells are coloured.
struct MatrixChart {
  std::string title{};                        ///< above everything
  std::string note{};                         ///< below the title, smaller
  std::string unit{};                         ///< of the numbers, for the legend: "ns"
  std::vector<std::string> labels{};          ///< of rows and of columns
  std::vector<std::vector<double>> values{};  ///< as many rows and columns; 0 or less: unknown
};
/// A matrix has at most so many rows.
inline constexpr std::size_t max_drawn_rows = 512;

/// Returns the matrix as SVG, with cells in up to six colours, which are equal steps of the logarithm from
/// the least value to the greatest. Throws UsageError for fewer than two rows, more than max_drawn_rows, rows
/// of another length, and where no value is known. O(values).
std::string to_svg(const MatrixChart& chart, Theme theme = Theme::automatic);
/// Returns the matrix for a terminal of `width` columns: numbers if they find room, else a letter for each
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
  std::string title{};               ///< of the page
  std::vector<std::string> words{};  ///< below the title, a paragraph each
  std::optional<BarChart> chart{};   ///< then a picture
  std::optional<Plot> plot{};        ///< then another
  std::vector<Table> tables{};       ///< then these
  std::vector<Section> sections{};   ///< then these, and before them, if there are several, their list
  std::vector<std::string> notes{};  ///< and what there is to say of them, a paragraph each
};

/// Returns the page: one HTML file that needs no network and no script. Throws what to_svg(chart) and
/// to_svg(plot) throw. O(texts).
std::string page(const ReportPage& report, Theme theme = Theme::automatic);

}  // namespace vnode
#pragma GCC visibility pop
