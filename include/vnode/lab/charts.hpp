#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <vnode/lab/draw.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Lines over two logarithmic axes.
struct Plot {
  /// What an axis counts, for the texts of its ticks.
  enum class Unit {
    number,   ///< 1, 10, 100
    bytes,    ///< 1K, 64K, 1M: powers of two
    seconds,  ///< 1 ns, 10 us, 100 ms
  };
  /// How a line looks.
  enum class Stroke { solid, dashed };

  /// Both more than 0.
  struct Point {
    double x = 0;  ///< along the axis below
    double y = 0;  ///< along the axis at the left
    friend bool operator==(const Point&, const Point&) = default;
  };
  /// Points joined in their order.
  struct Line {
    std::string label{};            ///< beside its last point; empty: none
    std::vector<Point> points{};    ///< at least one
    int group = 0;                  ///< lines of one group, from 0, have one colour and one mark
    Stroke stroke = Stroke::solid;  ///< tells the lines of a group apart
  };
  /// What an axis is about.
  struct Axis {
    std::string title{};       ///< "m, bytes"
    Unit unit = Unit::number;  ///< of its values
  };
  /// What a stroke means, for the legend.
  struct Key {
    Stroke stroke = Stroke::solid;  ///< this one
    std::string text{};             ///< "measured"
  };

  std::string title{};        ///< above everything
  Axis x{};                   ///< below
  Axis y{};                   ///< at the left
  std::vector<Line> lines{};  ///< at least one
  std::vector<Key> legend{};  ///< in a row below the title
};

/// The plot as SVG, 800 pixels wide and as high as its labels need: every label stands beside the end of its
/// line, as near as the others allow, joined to it. Labels of more than 36 letters are cut. UsageError
/// without a line, for a line without points and for a point that is not above 0. O(points + lines^2).
std::string to_svg(const Plot& plot, Theme theme = Theme::automatic);

/// Bars over one linear axis, in clusters.
struct BarChart {
  /// A value as a length.
  struct Bar {
    std::string label{};    ///< at the left
    double value = 0;       ///< at least 0
    std::string text{};     ///< behind its end: the value with its unit
    int group = 0;          ///< bars of one group, from 0, have one colour
    bool outlined = false;  ///< empty inside: to tell what is predicted from what is measured
  };
  /// Bars that belong together.
  struct Cluster {
    std::string title{};      ///< above them
    std::vector<Bar> bars{};  ///< at least one
  };
  /// An entry of the legend, which says what a colour or an outline means.
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

/// The most bars that a chart may have.
inline constexpr std::size_t max_drawn_bars = 600;

/// The chart as SVG, 800 pixels wide. UsageError without a bar, for more than max_drawn_bars, and for a value
/// that is no number from 0 on. O(bars).
std::string to_svg(const BarChart& chart, Theme theme = Theme::automatic);

/// What a measurement came to, as a page: words, a chart, tables. All texts are of the user's, as they are.
struct ReportPage {
  /// Cells under a line of names; each row has as many cells as there are names.
  struct Table {
    std::string caption{};                         ///< above it
    std::vector<std::string> head{};               ///< the names
    std::vector<std::vector<std::string>> rows{};  ///< from top to bottom
  };
  std::string title{};               ///< of the page
  std::vector<std::string> words{};  ///< below the title, a paragraph each
  std::optional<BarChart> chart{};   ///< then a picture
  std::optional<Plot> plot{};        ///< then another
  std::vector<Table> tables{};       ///< then these
  std::vector<std::string> notes{};  ///< and what there is to say of them, a paragraph each
};

/// The page: one HTML file that needs no network and no script. Errors as of to_svg(chart) and to_svg(plot).
/// O(texts).
std::string page(const ReportPage& report, Theme theme = Theme::automatic);

}  // namespace vnode
#pragma GCC visibility pop
