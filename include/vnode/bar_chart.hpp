#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <vnode/draw.hpp>

#pragma GCC visibility push(default)
namespace vnode {

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

}  // namespace vnode
#pragma GCC visibility pop
