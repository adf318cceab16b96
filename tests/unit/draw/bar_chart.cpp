#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <string>

#include <vnode/error.hpp>
#include <vnode/lab/charts.hpp>

#include "xml.hpp"

using namespace vnode;

namespace {

BarChart some_chart() {
  return {.title = "<b>&\"'",
          .note = "more is better",
          .clusters = {{.title = "64K <",
                        .bars = {{.label = "one", .value = 10, .text = "10 GB/s", .outlined = true},
                                 {.label = "spread", .value = 20, .text = "20 GB/s", .group = 2}}},
                       {.title = "empty", .bars = {{.label = "none", .value = 0, .text = "0"}}}},
          .legend = {{.text = "predicted", .outlined = true}, {.text = "measured", .group = 2}}};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Returns the width of the n-th bar: after the background.
double bar(const std::string& svg, int n) {
  std::size_t at = svg.find("<rect class=\"f6\" width=\"100%\"");
  for (int i = 0; i <= n; ++i) at = svg.find("<rect ", at + 1);
  const std::size_t width = svg.find(" width=\"", at) + 8;
  return std::stod(svg.substr(width));
}

}  // namespace

TEST_CASE("bars are as long as their values, and texts are escaped") {
  const std::string svg = to_svg(some_chart());
  CHECK(xml_fault(svg) == "");
  CHECK(svg.find("&lt;b&gt;&amp;&quot;&#39;") != svg.npos);
  CHECK(svg.find("<b>") == svg.npos);
  CHECK(bar(svg, 1) == doctest::Approx(2 * bar(svg, 0)));
  CHECK(bar(svg, 2) < 1);
  CHECK(svg.find("prefers-color-scheme") != svg.npos);
  CHECK(to_svg(some_chart(), Theme::dark).find("prefers-color-scheme") == svg.npos);
}

TEST_CASE("a chart that shows nothing, or too much, or no numbers, is refused") {
  CHECK_THROWS_AS(to_svg(BarChart{}), UsageError);
  for (const double value : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    BarChart chart = some_chart();
    chart.clusters.front().bars.front().value = value;
    CHECK_THROWS_AS(to_svg(chart), UsageError);
  }
  BarChart chart = some_chart();
  chart.clusters.front().bars.front().group = -1;
  CHECK_THROWS_AS(to_svg(chart), UsageError);
  chart.clusters.front().bars.assign(max_drawn_bars + 1, {.label = "a", .value = 1, .text = "1"});
  CHECK_THROWS_WITH_AS(to_svg(chart), "a chart of 602 bars cannot be read: up to 600", UsageError);
  chart.clusters.resize(1);
  chart.clusters.front().bars.resize(max_drawn_bars);
  CHECK(xml_fault(to_svg(chart)) == "");
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
  BarChart chart = some_chart();
  chart.note.clear();
  for (int i = 0; i < 40; ++i) chart.note += "word" + std::to_string(i) + ' ';
  const std::string svg = to_svg(chart);
  CHECK(xml_fault(svg) == "");
  const std::string drawn = svg.substr(svg.find("</desc>"));
  for (int i = 0; i < 40; ++i) CHECK(drawn.find("word" + std::to_string(i)) != svg.npos);
  CHECK(count(drawn, "…") == 0);
}

TEST_CASE("a report may have a plot and notes, and its pictures are as wide as the page") {
  const ReportPage report{
      .title = "times",
      .plot = Plot{.title = "over size", .lines = {{.label = "one", .points = {{1, 2}, {2, 3}}}}},
      .notes = {"<first>", "second"}};
  const std::string text = page(report);
  CHECK(count(text, "<svg ") == 1);
  CHECK(text.find("over size") != text.npos);
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
      .plot = plot,
      .tables = {table},
      .sections = {{"one & two", {{plot, table}, {{}, table}}}, {"three", {{plot, table}}}},
      .notes = {"note"}};
  const std::string text = page(report);
  const std::string doctype = "<!DOCTYPE html>\n";
  REQUIRE(text.starts_with(doctype));
  CHECK(xml_fault(text.substr(doctype.size())) == "");
  CHECK(count(text, "<svg ") == 4);
  CHECK(count(text, "<table") == 4);
  CHECK(count(text, "<div class=\"figure\">\n<svg") == 2);
  CHECK(text.find("<a href=\"#section-1\">one &amp; two</a>\n<a href=\"#section-2\">three</a>") != text.npos);
  CHECK(text.find("<h2 id=\"section-2\">three</h2>") != text.npos);
  ReportPage alone = report;
  alone.sections.pop_back();
  CHECK(page(alone).find("<nav") == std::string::npos);
}
