#pragma once

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

}  // namespace vnode
#pragma GCC visibility pop
