#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/lab/charts.hpp>

#include "base/at.hpp"
#include "draw/page_text.hpp"
#include "draw/svg.hpp"

namespace vnode {
namespace {

// A picture brings its own colours, and is as wide as the page or its column.
constexpr std::string_view own_css =
    "svg { width: 100%; height: auto; display: block; }\n"
    "table { width: 100%; }\n"
    "th { white-space: nowrap; }\n"
    "th + th, td + td { text-align: right; }\n"
    "h2 { margin-top: 1.6rem; border-top: 1px solid var(--link); padding-top: .8rem; }\n"
    "nav { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .6rem 0; }\n"
    "a { color: var(--hue-0); }\n"
    ".wide { overflow-x: auto; }\n"
    ".figure { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); gap: 0 1.5rem; "
    "align-items: start; }\n"
    ".figure > :only-child { grid-column: 1 / -1; }\n"
    "@media (min-width: 861px) { .figure > svg { position: sticky; top: .5rem; } }\n"
    "@media (max-width: 860px) { .figure { grid-template-columns: minmax(0, 1fr); } }\n";

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

std::string list_of(const std::vector<ReportPage::Section>& sections) {
  if (sections.size() < 2) return "";
  std::string text = "<nav aria-label=\"Sections\">\n";
  for (std::size_t i = 0; i < sections.size(); ++i)
    text += fmt::format("<a href=\"#section-{}\">{}</a>\n", i + 1, escaped(sections[i].title));
  return text + "</nav>\n";
}

std::string section(const ReportPage::Section& section, std::size_t number, Theme theme) {
  std::string text =
      fmt::format("<section>\n<h2 id=\"section-{}\">{}</h2>\n", number, escaped(section.title));
  for (const ReportPage::Figure& figure : section.figures)
    text += fmt::format("<div class=\"figure\">\n{}{}</div>\n",
                        figure.plot ? to_svg(*figure.plot, theme) : "", table(figure.table));
  return text + "</section>\n";
}

}  // namespace

std::string page(const ReportPage& report, Theme theme) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\" data-theme=\"{}\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "img-src data:\"/>\n<link rel=\"icon\" href=\"data:,\"/>\n<title>{}</title>\n<style>\n{}{}</style>\n"
      "</head>\n<body>\n<header>\n<h1>{}</h1>\n",
      at(page_themes, theme), escaped(report.title), base_css, own_css, escaped(report.title));
  for (const std::string& words : report.words) text += fmt::format("<p>{}</p>\n", escaped(words));
  text += "</header>\n";
  if (report.chart) text += to_svg(*report.chart, theme);
  for (const ReportPage::Table& one : report.tables) text += table(one);
  text += list_of(report.sections);
  for (std::size_t i = 0; i < report.sections.size(); ++i) text += section(report.sections[i], i + 1, theme);
  for (const std::string& note : report.notes) text += fmt::format("<p>{}</p>\n", escaped(note));
  return text + "</body>\n</html>\n";
}

}  // namespace vnode
