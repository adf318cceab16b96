#include <cmath>
#include <cstdio>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <limits>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/charts.hpp>

#include "draw/drawing.hpp"
#include "draw/svg.hpp"

using namespace vnode;

namespace {

constexpr double width = 800;

/// `count` lines that nearly coincide, so that all labels want to be in one place.
Plot bundle(int count) {
  Plot plot{.title = "m < 8 & \"more\"",
            .x = {"m, bytes", Plot::Unit::bytes},
            .y = {"seconds", Plot::Unit::seconds},
            .legend = {{Plot::Stroke::solid, "predicted"}, {Plot::Stroke::dashed, "measured"}}};
  for (int i = 0; i < count; ++i) {
    Plot::Line line{.label = "broadcast_number_" + std::to_string(i), .group = i};
    for (double m = 1024; m <= 8 << 20; m *= 2)
      line.points.push_back({m, (1e-6 + m * 1e-10) * (1 + i * 1e-3)});
    plot.lines.push_back(line);
  }
  return plot;
}

struct Text {
  double x, y;
  std::string classes, content;
};

std::vector<Text> texts(const std::string& svg) {
  static const std::regex pattern(
      "<text(?: class=\"([^\"]*)\")? x=\"([0-9.]+)\" y=\"([0-9.]+)\"[^>]*>([^<]*)</text>");
  std::vector<Text> all;
  for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at)
    all.push_back({std::stod((*at)[2]), std::stod((*at)[3]), (*at)[1], (*at)[4]});
  return all;
}

std::vector<Text> labels(const std::string& svg) {
  std::vector<Text> found;
  for (const Text& text : texts(svg))
    if (text.classes.starts_with("label")) found.push_back(text);
  return found;
}

double height(const std::string& svg) {
  std::smatch match;
  REQUIRE(std::regex_search(svg, match, std::regex("viewBox=\"0 0 800 ([0-9.]+)\"")));
  return std::stod(match[1]);
}

/// Tags that open are closed in turn, and & and < stand for themselves nowhere.
bool well_formed(const std::string& svg) {
  std::vector<std::string> open;
  static const std::regex tag("<(/?)([a-z]+)((?: [a-zA-Z:]+=\"[^\"<]*\")*)(/?)>|<|&(?!(lt|gt|amp|quot);)");
  for (std::sregex_iterator at(svg.begin(), svg.end(), tag), end; at != end; ++at) {
    if (!(*at)[2].matched) return false;
    if ((*at)[1].length() > 0) {
      if (open.empty() || open.back() != (*at)[2]) return false;
      open.pop_back();
    } else if ((*at)[4].length() == 0) {
      open.push_back((*at)[2]);
    }
  }
  return open.empty();
}

bool well_formed_svg(const Plot& plot) { return well_formed(to_svg(plot)); }

}  // namespace

TEST_CASE("the check for well-formed XML refuses what is not") {
  CHECK(well_formed("<a><b c=\"d\"/>e &lt; f</a>"));
  for (const char* bad : {"<a>", "<a></b>", "<a>&</a>", "<a>1 < 2</a>", "</a>", "<a b=c></a>"})
    CHECK_FALSE(well_formed(bad));
}

TEST_CASE("a plot is well-formed XML, whatever its texts are") {
  CHECK(well_formed_svg(bundle(1)));
  Plot plot = bundle(3);
  plot.title = "<b>&\x01\n";
  plot.x.title = plot.y.title = "a<b";
  plot.lines[1].label = "\"&<script>\"";
  plot.legend[0].text = "<&>";
  CHECK(well_formed_svg(plot));
}

TEST_CASE("labels lie inside the view box and do not overlap, however many lines end together") {
  for (const int count : {1, 2, 13, 40}) {
    const std::string svg = to_svg(bundle(count));
    const std::vector<Text> found = labels(svg);
    REQUIRE(found.size() == static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].x + 7.2 * static_cast<double>(found[i].content.size()) <= width);
      CHECK(found[i].y >= 12);
      CHECK(found[i].y <= height(svg) - 4);
      if (i > 0) CHECK(found[i].y - found[i - 1].y >= 14);
    }
    for (const Text& text : texts(svg)) CHECK((text.x >= 0 && text.x <= width && text.y <= height(svg)));
  }
}

TEST_CASE("a label stands beside the end of its line where there is room, and long ones are cut") {
  Plot plot{.lines = {{.label = "high", .points = {{1, 1}, {10, 1000}}},
                      {.label = std::string(100, 'x'), .points = {{1, 1}, {10, 1}}}}};
  const auto found = labels(to_svg(plot));
  REQUIRE(found.size() == 2);
  CHECK(found[0].content == "high");
  CHECK(found[0].y == doctest::Approx(80));  // the top of the plot, and the letters' half height
  CHECK(found[1].content == std::string(34, 'x') + "..");
  CHECK(found[1].y > 400);
}

TEST_CASE("ticks are powers in the axis's unit, and of few powers of ten also 2 and 5 times as much") {
  const auto has = [](const std::string& svg, const std::string& tick) {
    return svg.find(">" + tick + "</text>") != std::string::npos;
  };
  const std::string svg = to_svg(bundle(2));
  for (const char* tick : {"1K", "4K", "1M", "10 us", "100 us"}) CHECK(has(svg, tick));
  Plot one{
      .x = {"p", Plot::Unit::number}, .y = {"s", Plot::Unit::seconds}, .lines = {{.points = {{64, 3e-7}}}}};
  for (const char* between : {"20", "50", "200", "200 ns", "500 ns"}) CHECK(has(to_svg(one), between));
  CHECK(has(to_svg(one), "100"));
  CHECK(has(to_svg(one), "1 us"));
  one.lines.front().points = {{1, 1e-9}, {1e30, 1}};
  CHECK(has(to_svg(one), "1e+30"));
  CHECK(has(to_svg(one), "100 ns"));
}

TEST_CASE("a plot has the colours of its theme, as other pictures, and dashes where it says so") {
  Plot plot = bundle(2);
  plot.lines[1].stroke = Plot::Stroke::dashed;
  const std::string svg = to_svg(plot), light = to_svg(plot, Theme::light), dark = to_svg(plot, Theme::dark);
  for (const int group : {0, 1}) {
    const std::string colour = fmt::format("class=\"line s{}", hue(group));
    CHECK(svg.find(colour) != std::string::npos);
  }
  CHECK(svg.find(fmt::format("class=\"line s{} dashed\"", hue(1))) != std::string::npos);
  CHECK(svg.find(style(Theme::automatic)) != std::string::npos);
  CHECK(svg.find("@media") != std::string::npos);
  CHECK(light.find(style(Theme::light)) != std::string::npos);
  CHECK(dark.find(style(Theme::dark)) != std::string::npos);
  CHECK(light.find("@media") == std::string::npos);
  CHECK(light != dark);
}

TEST_CASE("what cannot be drawn on logarithmic axes is refused") {
  CHECK_THROWS_AS(to_svg(Plot{}), UsageError);
  CHECK_THROWS_AS(to_svg({.lines = {{.label = "a"}}}), UsageError);
  CHECK_THROWS_AS(to_svg({.lines = {{.points = {{1, 1}}, .group = -1}}}), UsageError);
  for (const double bad :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS_AS(to_svg({.lines = {{.points = {{1, bad}}}}}), UsageError);
    CHECK_THROWS_AS(to_svg({.lines = {{.points = {{bad, 1}}}}}), UsageError);
  }
}

TEST_CASE("long labels are cut between letters, what XML forbids is replaced, and the plot is described") {
  std::string label;
  for (int i = 0; i < 30; ++i)
    label +=
        "\xC3\xA9"
        "a";  // byte 34 is in the middle of a letter
  const Plot plot{.title = "\xff",
                  .x = {.title = "m"},
                  .y = {.title = "time"},
                  .lines = {{.label = label, .points = {{1, 1}, {2, 2}}}},
                  .legend = {}};
  const std::string svg = to_svg(plot);
  CHECK(svg.find("<title>\xEF\xBF\xBD</title>") != std::string::npos);
  const std::string shown = svg.substr(svg.rfind("class=\"label"));
  CHECK(shown.find("\xC3\xA9"
                   "a..</text>") != std::string::npos);
  CHECK(shown.find("\xEF\xBF\xBD") == std::string::npos);
  CHECK(svg.find("<desc>time over m, both axes logarithmic; lines: \xC3\xA9"
                 "a") != std::string::npos);
}

TEST_CASE(
    "a narrow plot has fewer ticks, which do not touch, and one without room for its lines is refused") {
  Plot plot{.x = {"m", Plot::Unit::bytes}, .y = {"s", Plot::Unit::seconds}, .lines = {{.label = "one"}}};
  for (double m = 8; m <= 8 << 20; m *= 2) plot.lines.front().points.push_back({m, m * 1e-10});
  for (const double narrow : {360.0, 420.0, 800.0}) {
    plot.width = narrow;
    const std::string svg = to_svg(plot);
    CHECK(svg.find(fmt::format("viewBox=\"0 0 {:g} ", narrow)) != std::string::npos);
    double last = 0;
    for (const Text& text : texts(svg))
      if (text.classes.starts_with("middle") && text.content != "m") {
        if (last > 0) CHECK(text.x - last >= 42);
        last = text.x;
      }
    CHECK(last > 0);
  }
  for (const double none : {0.0, 359.0, std::numeric_limits<double>::quiet_NaN()}) {
    plot.width = none;
    CHECK_THROWS_AS(to_svg(plot), UsageError);
  }
  plot.width = 400;
  plot.lines.front().label = std::string(36, 'x');
  CHECK_THROWS_AS(to_svg(plot), UsageError);
}

TEST_CASE("lines are told apart by their marks, not by their colours alone") {
  const std::string svg = to_svg(bundle(36));
  static const std::regex marks("<path class=\"(f[0-9]+)\" d=\"M[0-9.]+ [0-9.]+([a-z][^M\"]*)\"/>");
  std::set<std::pair<std::string, std::string>> seen;
  for (std::sregex_iterator at(svg.begin(), svg.end(), marks), end; at != end; ++at)
    seen.emplace((*at)[1], (*at)[2]);
  CHECK(seen.size() == 36);
  std::set<std::string> shapes;
  const std::string six = to_svg(bundle(6));
  for (std::sregex_iterator at(six.begin(), six.end(), marks), end; at != end; ++at) shapes.insert((*at)[2]);
  CHECK(shapes.size() == 6);
}
