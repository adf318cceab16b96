#pragma once

#include <optional>
#include <string>
#include <vector>

#include <vnode/lab/bar_chart.hpp>
#include <vnode/lab/draw.hpp>
#include <vnode/lab/plot.hpp>

#pragma GCC visibility push(default)
namespace vnode {

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
