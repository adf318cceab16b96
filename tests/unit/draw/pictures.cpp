#include "draw/pictures.hpp"

#include <algorithm>
#include <doctest/doctest.h>

#include <vnode/error.hpp>

#include "draw/svg.hpp"
#include "overlaps.hpp"
#include "xml.hpp"

using namespace vnode;

namespace {

// Every node sends to the next, one after the other.
Timeline relay(int nodes, double step) {
  Timeline run{.title = "relay", .nodes = nodes, .seconds = step * (nodes - 1), .messages = {}};
  for (Rank rank = 0; rank + 1 < nodes; ++rank)
    run.messages.push_back({.round = rank,
                            .from = rank,
                            .to = rank + 1,
                            .bytes = 8,
                            .start = step * rank,
                            .departure = step * rank,
                            .end = step * (rank + 1)});
  return run;
}

std::size_t count_heads(const Drawing& drawing) {
  return static_cast<std::size_t>(
      std::ranges::count_if(drawing.strokes, [](const Stroke& s) { return s.head > 0; }));
}

HeatMapPicture half_used(const Topology& topology) {
  HeatMapPicture picture{.title = "half", .topology = topology, .use = {}};
  for (int link = 0; link < topology.directed_links(); link += 2)
    picture.use.push_back({link, 1e-6 * (1 + link)});
  return picture;
}

}  // namespace

TEST_CASE("a space-time diagram has an arrow for each message, and nothing overlaps") {
  for (const int nodes : {1, 2, 5, 16, 40, 200, 1024})
    for (const double step : {0.0, 3e-9, 1.7e-6, 12.0}) {
      CAPTURE(nodes);
      CAPTURE(step);
      const SpaceTimePicture picture{"relays", {relay(nodes, step), relay(nodes, 1.3 * step)}};
      const Drawing drawing = drawing_of(picture);
      CHECK(overlaps(drawing) == "");
      CHECK(count_heads(drawing) == 2 * static_cast<std::size_t>(nodes - 1));
      CHECK(xml_fault(draw(picture, Pen::svg)) == "");
    }
}

TEST_CASE("runs share one scale: what takes half the time is half as wide") {
  const Drawing drawing = drawing_of(SpaceTimePicture{"", {relay(2, 2e-6), relay(2, 1e-6)}});
  std::vector<double> widths;
  for (const Stroke& stroke : drawing.strokes)
    if (stroke.head > 0) widths.push_back(stroke.points[1].x - stroke.points[0].x);
  REQUIRE(widths.size() == 2);
  CHECK(widths[0] == doctest::Approx(2 * widths[1]));
}

TEST_CASE("on machines, the nodes of each stand in a box, and messages that leave it are wider") {
  for (const int machines : {2, 3, 12}) {
    CAPTURE(machines);
    const SpaceTimePicture picture{"relay", {relay(12, 1e-6)}, machines};
    const Drawing drawing = drawing_of(picture);
    CHECK(overlaps(drawing) == "");
    REQUIRE(drawing.rectangles.size() == static_cast<std::size_t>(machines));
    std::vector<double> widths;  // of message 0 > 1, 1 > 2, ...
    for (const Stroke& stroke : drawing.strokes)
      if (stroke.head > 0) widths.push_back(stroke.width);
    REQUIRE(widths.size() == 11);
    const double across = *std::ranges::max_element(widths);
    for (std::size_t i = 0; i < widths.size(); ++i)
      CHECK((widths[i] == across) == ((i + 1) % (12 / static_cast<std::size_t>(machines)) == 0));
    std::vector<int> nodes(drawing.rectangles.size());  // by box
    for (const Stroke& stroke : drawing.strokes)
      if (stroke.head == 0 && !stroke.dashed)
        for (std::size_t i = 0; i < nodes.size(); ++i) {
          const Box& box = drawing.rectangles[i].box;
          nodes[i] += box.y < stroke.points[0].y && stroke.points[0].y < box.y + box.height;
        }
    CHECK(nodes == std::vector<int>(drawing.rectangles.size(), 12 / machines));
  }
  const std::string text = draw(SpaceTimePicture{"", {relay(4, 1e-6)}, 2}, Pen::text);
  CHECK(text.find("machine 0\n    0 ") != std::string::npos);
  CHECK(text.find("machine 1\n    2 ") != std::string::npos);
  CHECK(draw(SpaceTimePicture{"", {relay(4, 1e-6)}}, Pen::text).find("machine") == std::string::npos);
}

TEST_CASE("the text pen writes time as columns") {
  const std::string row(21, '.');
  CHECK(draw(SpaceTimePicture{"a relay", {relay(3, 1e-6)}}, Pen::text) ==
        "a relay\n\nrelay: 2 us\n    0 " + std::string(64, '.') + "\n    1 " + std::string(32, '1') +
            std::string(32, '.') + "\n    2 " + std::string(32, '.') + std::string(32, '2') + "\n      0" +
            std::string(59, ' ') + "2 us\n      digits: the round of what a node receives\n");
}

TEST_CASE("a time diagram of runs that do not belong together is refused") {
  CHECK_THROWS_AS(draw(SpaceTimePicture{"", {}}, Pen::svg), UsageError);
  CHECK_THROWS_WITH_AS(draw(SpaceTimePicture{"", {relay(2, 1), relay(3, 1)}}, Pen::svg),
                       "runs of 2 and of 3 nodes have no common space-time diagram", UsageError);
  CHECK_THROWS_WITH_AS(draw(SpaceTimePicture{"", {relay(3, 1)}, 2}, Pen::text),
                       "3 nodes cannot be drawn on 2 machines, as many on each", UsageError);
  Timeline wrong = relay(3, 1);
  wrong.nodes = 2;
  CHECK_THROWS_WITH_AS(draw(SpaceTimePicture{"", {wrong}}, Pen::text),
                       "there is no message 1>2 among 2 nodes", UsageError);
}

TEST_CASE("ticks divide the time into round parts") {
  CHECK(tick(10e-6, 7) == doctest::Approx(2e-6));
  CHECK(tick(6.1e-6, 7) == doctest::Approx(1e-6));
  CHECK(tick(0.9, 7) == doctest::Approx(0.2));
  CHECK(tick(0, 7) == 0);
}

TEST_CASE("a heat map colours each direction by its use, and nothing overlaps") {
  for (const auto& given : {std::pair{"ring", 8},
                            {"mesh:4x4", 16},
                            {"torus:4x4", 16},
                            {"hypercube", 16},
                            {"tree", 8},
                            {"full", 6},
                            {"array", 1},
                            {"mesh:2x3x2", 12}}) {
    CAPTURE(given.first);
    const Topology topology(Shape::parse(given.first), given.second);
    const HeatMapPicture picture = half_used(topology);
    const Drawing drawing = drawing_of(picture);
    CHECK(overlaps(drawing) == "");
    CHECK(xml_fault(draw(picture, Pen::svg)) == "");
    const auto count = [&](int color) { return std::ranges::count(drawing.strokes, color, &Stroke::ink); };
    CHECK(count(heat(0)) == topology.links());
    CHECK(count(heat(heats - 1)) >= (topology.links() > 0 ? 1 : 0));
    CHECK(drawing.strokes.size() == static_cast<std::size_t>(topology.directed_links()));
  }
}

TEST_CASE("in a heat map both directions of a link lie alike on its two sides") {
  const Topology topology(shapes::mesh{4, 4}, 16);
  const Drawing drawing = drawing_of(half_used(topology));
  const auto middle = [](Point a, Point b) { return 0.5 * (a + b); };
  const auto of_line = [&](const Stroke& stroke) {
    return middle(stroke.points.front(), stroke.points.back());
  };
  for (int link = 0; link < topology.directed_links(); link += 2) {
    CAPTURE(link);
    const auto at = static_cast<std::size_t>(link);
    const DirectedLink ends = topology.ends(link);
    const Point of_nodes = middle(drawing.discs[static_cast<std::size_t>(ends.from)].center,
                                  drawing.discs[static_cast<std::size_t>(ends.to)].center);
    const Point of_both = middle(of_line(drawing.strokes[at]), of_line(drawing.strokes[at + 1]));
    CHECK(length(of_both - of_nodes) < 0.01);
  }
}

TEST_CASE("the text pen writes a heat map as a table") {
  CHECK(
      draw(HeatMapPicture{"use", Topology(shapes::array{}, 3), {{0, 2e-6}, {3, 1e-6}, {3, 1e-6}, {2, 1e-6}}},
           Pen::text) ==
      "use\narray, 3 nodes\n\n"
      "     0 > 1            2 us 100 %  ##############################\n"
      "     1 > 2            1 us  50 %  ###############\n"
      "     2 > 1            2 us 100 %  ##############################\n"
      "1 of 4 directions of links are not used\n");
  CHECK_THROWS_WITH_AS(draw(HeatMapPicture{"", Topology(shapes::array{}, 3), {{4, 1}}}, Pen::svg),
                       "array has no directed link 4, the last one is 3", UsageError);
  CHECK_THROWS_AS(draw(HeatMapPicture{"", Topology(shapes::array{}, 3), {{0, -1}}}, Pen::text), UsageError);
}

TEST_CASE("a machine is nested boxes, and nothing overlaps") {
  for (const char* text : {"pu:1", "core:4 pu:2", "pack:2 numa:2 l3:1 core:4 pu:2", "pack:4 l3:2 core:8 pu:2",
                           "numa:8 core:3 pu:1"})
    for (const int nodes : {1, 7, 40, 300}) {
      CAPTURE(text);
      CAPTURE(nodes);
      const Machine machine = Machine::from_synthetic(text);
      const MappingPicture picture{"a machine", machine, compact_mapping(machine, nodes)};
      CHECK(overlaps(drawing_of(picture)) == "");
      CHECK(xml_fault(draw(picture, Pen::svg)) == "");
    }
}

TEST_CASE("a note stands below a mapping's title, and overlaps nothing") {
  const Machine machine = Machine::from_synthetic("pack:2 core:4 pu:2");
  const MappingPicture picture{"a machine", machine, compact_mapping(machine, 7), "4 links between packages"};
  CHECK(overlaps(drawing_of(picture)) == "");
  CHECK(draw(picture, Pen::svg).find("4 links between packages") != std::string::npos);
  CHECK(draw(picture, Pen::text).starts_with("a machine\n4 links between packages\n\nNUMA node 0, "));
}

TEST_CASE("the boxes of a machine lie in the boxes they belong to") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:1 l3:2 core:2 pu:2");
  const Drawing drawing = drawing_of(MappingPicture{"", machine, compact_mapping(machine, 3)});
  CHECK(drawing.rectangles.size() == 2 + 2 + 4 + 8 + 16);
  for (std::size_t i = 0; i < drawing.rectangles.size(); ++i)
    for (std::size_t j = i + 1; j < drawing.rectangles.size(); ++j) {
      const Box &a = drawing.rectangles[i].box, &b = drawing.rectangles[j].box;
      CHECK((!overlap(a, b) || within(a, b) || within(b, a)));
    }
}

TEST_CASE("the text pen writes a mapping as a tree") {
  const Machine machine = Machine::from_synthetic("pack:1 l3:1(size=1048576) core:2 pu:2");
  const std::string text = draw(MappingPicture{"three", machine, compact_mapping(machine, 3)}, Pen::text);
  CHECK(text.starts_with("three\n\npackage 0\n"));
  CHECK(text.find("L3, 1 MiB\n      core 0\n        PU 0: 0\n        PU 1: 1\n      core 1\n        PU 2: "
                  "2\n        PU 3\n") != std::string::npos);
  CHECK_THROWS_WITH_AS(draw(MappingPicture{"", machine, {.pu = {0, 4}}}, Pen::text),
                       "node 1 is mapped to PU 4, the machine has 4", UsageError);
}

TEST_CASE("words are escaped, and what XML forbids is replaced") {
  CHECK(escaped("a<b>&\"c'") == "a&lt;b&gt;&amp;&quot;c&#39;");
  CHECK(escaped("é€😀") == "é€😀");
  CHECK(escaped("\x01\xff\xC3") == "\uFFFD\uFFFD\uFFFD");
  CHECK(escaped("\xED\xA0\x80") == "\uFFFD\uFFFD\uFFFD");
  const std::string svg =
      draw(HeatMapPicture{"</title><script>&\x02", Topology(shapes::ring{}, 3), {}}, Pen::svg);
  CHECK(xml_fault(svg) == "");
  CHECK(svg.find("<script") == std::string::npos);
}

TEST_CASE("a title that is too long is cut, and does not leave the drawing") {
  const HeatMapPicture picture{std::string(400, 'w') + "é", Topology(shapes::ring{}, 8), {}};
  CHECK(overlaps(drawing_of(picture)) == "");
  CHECK(drawing_of(picture).labels.back().text.ends_with("…"));
}

TEST_CASE("the title of a run does not make a diagram wide") {
  Timeline run = relay(3, 1e-6);
  run.title = std::string(300, 'w');
  const Drawing drawing = drawing_of(SpaceTimePicture{"", {run}});
  CHECK(drawing.width <= 810);
  CHECK(std::ranges::any_of(drawing.labels,
                            [](const Label& label) { return label.text.ends_with("…: 2 us"); }));
}

TEST_CASE("a heat map is of a run: uses are shares of its time, which it names") {
  const Topology topology(shapes::array{}, 2);
  const HeatMapPicture picture{"use", topology, {{0, 1e-6}}, "a run, measured", 4e-6};
  const Drawing drawing = drawing_of(picture);
  const auto count = [&](int color) { return std::ranges::count(drawing.strokes, color, &Stroke::ink); };
  CHECK(count(heat(2)) == 1);  // a quarter: more than 20 %, at most 40 %
  CHECK(count(heat(heats - 1)) == 0);
  for (const char* text : {"a run, measured", "≤ 40 %", "of 4 us"})
    CHECK(std::ranges::count(drawing.labels, text, &Label::text) == 1);
  CHECK(draw(picture, Pen::text).find("1 us  25 %  ########\n") != std::string::npos);
}

TEST_CASE("a machine is drawn as it is: what has more PUs is outside") {
  const Machine machine = Machine::from_synthetic("numa:1 pack:2 l3:2 core:2 pu:2");
  const std::string text = draw(MappingPicture{"", machine, compact_mapping(machine, 2)}, Pen::text);
  CHECK(text.starts_with("\n\nNUMA node 0"));
  CHECK(text.find("\n  package 0\n    L3") != std::string::npos);
  CHECK(std::string_view(text).find("NUMA", 12) == std::string_view::npos);
}
