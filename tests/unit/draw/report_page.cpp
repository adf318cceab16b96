#include <doctest/doctest.h>
#include <string>

#include <vnode/error.hpp>
#include <vnode/lab/charts.hpp>

#include "xml.hpp"

using namespace vnode;

namespace {

MatrixChart some_chart() {
  return {.title = "<b>&\"'",
          .note = "more is better",
          .unit = "GB/s",
          .labels = {"compact", "scatter <"},
          .columns = {"one", "spread", "owner"},
          .panels = {{"64K &", {{10, 20, 12.5}, {1, 2, 0}}}, {"1M", {{3, 3, 3}, {3, 3, 3}}}}};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("matrices have a caption each, their numbers in the cells, and texts are escaped") {
  const std::string svg = to_svg(some_chart());
  CHECK(xml_fault(svg) == "");
  CHECK(svg.find("&lt;b&gt;&amp;&quot;&#39;") != svg.npos);
  CHECK(svg.find("<b>") == svg.npos);
  for (const char* const text : {">64K &amp;<", ">1M<", ">compact<", ">scatter &lt;<", ">spread<", ">12.5<",
                                 ">numbers: GB/s; the greatest of each in bold<"})
    CHECK_MESSAGE(svg.find(text) != svg.npos, text);
  CHECK(svg.find("font-weight=\"600\">20<") != svg.npos);
  CHECK(svg.find("prefers-color-scheme") != svg.npos);
  CHECK(to_svg(some_chart(), Theme::dark).find("prefers-color-scheme") == svg.npos);
}

TEST_CASE("a page of a report has all that it is given, escaped, and needs nothing else") {
  const ReportPage report{
      .title = "a < b",
      .words = {"<i>words</i>"},
      .chart = some_chart(),
      .tables = {{.caption = "c & d", .head = {"x", "y"}, .rows = {{"1", "<2>"}, {"3", "4"}}}}};
  const std::string text = page(report, Theme::light);
  CHECK(text.starts_with("<!DOCTYPE html>"));
  CHECK(text.find("data-theme=\"light\"") != text.npos);
  CHECK(text.find("<title>a &lt; b</title>") != text.npos);
  CHECK(text.find("<p>&lt;i&gt;words&lt;/i&gt;</p>") != text.npos);
  CHECK(text.find("<caption>c &amp; d</caption>") != text.npos);
  CHECK(text.find("<td>&lt;2&gt;</td>") != text.npos);
  CHECK(count(text, "<tr>") == 3);
  CHECK(count(text, "<svg") == 1);
  CHECK(text.find("<script") == text.npos);
  CHECK(page({.title = "t"}).find("<svg") == std::string::npos);
}

TEST_CASE("a note that is longer than a line goes on below it, and no word of it is lost") {
  MatrixChart chart = some_chart();
  chart.note.clear();
  for (int i = 0; i < 40; ++i) chart.note += "word" + std::to_string(i) + ' ';
  const std::string svg = to_svg(chart);
  CHECK(xml_fault(svg) == "");
  const std::string drawn = svg.substr(svg.find("</desc>"));
  for (int i = 0; i < 40; ++i) CHECK(drawn.find("word" + std::to_string(i)) != svg.npos);
  CHECK(count(drawn, "…") == 0);
}

TEST_CASE("a report may have notes, and its pictures are as wide as the page") {
  const ReportPage report{.title = "times", .chart = some_chart(), .notes = {"<first>", "second"}};
  const std::string text = page(report);
  CHECK(count(text, "<svg ") == 1);
  CHECK(text.find("<p>&lt;first&gt;</p>\n<p>second</p>\n</body>") != text.npos);
  CHECK(text.find("svg { width: 100%; height: auto;") != text.npos);
}

TEST_CASE(
    "a report's sections have a plot and a table beside each other, are listed, and are well-formed XML") {
  const Plot plot{.title = "a < b", .lines = {{.label = "one", .points = {{1, 2}, {2, 3}}}}, .width = 420};
  const ReportPage::Table table{.caption = "t", .head = {"x"}, .rows = {{"<1>"}}};
  const ReportPage report{
      .title = "times",
      .words = {"where"},
      .chart = some_chart(),
      .tables = {table},
      .sections = {{"one & two", {{plot, table}, {{}, table}}}, {"three", {{plot, table}}}},
      .notes = {"note"}};
  const std::string text = page(report);
  const std::string doctype = "<!DOCTYPE html>\n";
  REQUIRE(text.starts_with(doctype));
  CHECK(xml_fault(text.substr(doctype.size())) == "");
  CHECK(count(text, "<svg ") == 3);
  CHECK(count(text, "<table") == 4);
  CHECK(count(text, "<div class=\"figure\">\n<svg") == 2);
  CHECK(text.find("<a href=\"#section-1\">one &amp; two</a>\n<a href=\"#section-2\">three</a>") != text.npos);
  CHECK(text.find("<h2 id=\"section-2\">three</h2>") != text.npos);
  ReportPage alone = report;
  alone.sections.pop_back();
  CHECK(page(alone).find("<nav") == std::string::npos);
}
