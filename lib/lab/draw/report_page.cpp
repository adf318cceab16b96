#include <array>
#include <fmt/format.h>
#include <string_view>

#include <vnode/lab/charts.hpp>

#include "draw/page_text.hpp"
#include "draw/svg.hpp"

namespace vnode {
namespace {

// A picture brings its own colours, and is as wide as the page.
constexpr std::string_view own_css =
    "svg { width: 100%; height: auto; }\n"
    "table { width: 100%; }\n"
    "td + td { text-align: right; }\n"
    ".wide { overflow-x: auto; }\n";

std::string row(const std::vector<std::string>& cells, std::string_view element) {
  std::string text = "<tr>";
  const std::string_view name = element.substr(0, element.find(' '));
  for (const std::string& cell : cells) text += fmt::format("<{}>{}</{}>", element, escaped(cell), name);
  return text + "</tr>\n";
}

std::string table(const ReportPage::Table& table) {
  std::string text = fmt::format(
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table><caption>{0}</caption>\n"
      "<thead>{1}</thead>\n<tbody>\n",
      escaped(table.caption), row(table.head, "th scope=\"col\""));
  for (const std::vector<std::string>& cells : table.rows) text += row(cells, "td");
  return text + "</tbody></table></div>\n";
}

}  // namespace

std::string page(const ReportPage& report, Theme theme) {
  constexpr std::array<std::string_view, 3> themes = {"auto", "light", "dark"};
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\" data-theme=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>\n{}{}</style>\n"
      "</head>\n<body>\n<header>\n<h1>{}</h1>\n",
      themes[static_cast<std::size_t>(theme)], escaped(report.title), base_css, own_css,
      escaped(report.title));
  for (const std::string& words : report.words) text += fmt::format("<p>{}</p>\n", escaped(words));
  text += "</header>\n";
  if (report.chart) text += to_svg(*report.chart, theme);
  if (report.plot) text += to_svg(*report.plot, theme);
  for (const ReportPage::Table& one : report.tables) text += table(one);
  for (const std::string& note : report.notes) text += fmt::format("<p>{}</p>\n", escaped(note));
  return text + "</body>\n</html>\n";
}

}  // namespace vnode
