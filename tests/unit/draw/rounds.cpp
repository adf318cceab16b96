#include "draw/rounds.hpp"

#include <algorithm>
#include <doctest/doctest.h>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/model/algorithms.hpp>

#include "overlaps.hpp"
#include "xml.hpp"

using namespace vnode;

namespace {

RoundsPicture picture_of(std::string_view name, const std::string& shape, Parameters parameters) {
  const Topology topology(Shape::parse(shape), parameters.nodes);
  if (topology.family() == Family::mesh || topology.family() == Family::torus)
    parameters.extents.assign(topology.extents().begin(), topology.extents().end());
  return {.title = std::string(name),
          .schedule = algorithm(name).build(parameters),
          .topology = topology,
          .routing = topology.default_routing()};
}

std::size_t count_messages(const Schedule& schedule) {
  std::size_t count = 0;
  for (const Round& round : schedule.rounds()) count += messages(round).size();
  return count;
}

std::size_t count_arrows(const Drawing& drawing) {
  return static_cast<std::size_t>(
      std::ranges::count_if(drawing.strokes, [](const Stroke& s) { return s.head > 0; }));
}

std::size_t count_labels(const Drawing& drawing, const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(drawing.labels, text, &Label::text));
}

// Links with load > 1, by round, counted without the code under test.
std::size_t count_congested(const RoundsPicture& picture) {
  std::size_t count = 0;
  for (const Round& round : picture.schedule.rounds()) {
    std::vector<int> load(static_cast<std::size_t>(picture.topology.directed_links()));
    for (const Transfer& message : messages(round))
      for (const int link : picture.topology.route(message.from, message.to, picture.routing))
        ++load[static_cast<std::size_t>(link)];
    for (std::size_t link = 0; link < load.size(); link += 2)
      count += std::max(load[link], load[link + 1]) > 1;
  }
  return count;
}

std::size_t count_warnings(const Drawing& drawing) {
  const auto warns = [](const Stroke& s) {
    return s.ink == ink(Ink::warning) && s.points.front() != s.points.back();
  };
  const auto all = std::ranges::count_if(drawing.strokes, warns);
  return static_cast<std::size_t>(all - (all > 0 ? 1 : 0));  // the legend has one, too
}

RoundsPicture on_machines(std::string_view name, int machines, Parameters parameters) {
  RoundsPicture picture = picture_of(name, "full", std::move(parameters));
  picture.machines = machines;
  return picture;
}

const RoundsPicture many[] = {
    on_machines("broadcast_binomial", 4, {.nodes = 16, .root = 5}),
    on_machines("all_gather_ring", 3, {.nodes = 9}),
    on_machines("broadcast_direct", 8, {.nodes = 8}),
    on_machines("broadcast_binomial", 6, {.nodes = 48}),
    picture_of("broadcast_doubling", "ring", {.nodes = 8}),
    picture_of("broadcast_binomial", "ring", {.nodes = 5, .root = 3}),
    picture_of("reduce_doubling", "ring", {.nodes = 8, .root = 2}),
    picture_of("broadcast_doubling", "array", {.nodes = 16}),
    picture_of("broadcast_binomial", "array", {.nodes = 40}),
    picture_of("broadcast_mesh", "mesh:4x4", {.nodes = 16, .root = 9}),
    picture_of("broadcast_mesh", "mesh:3x5", {.nodes = 15}),
    picture_of("broadcast_low_bit_first", "mesh:4x4", {.nodes = 16}),
    picture_of("broadcast_low_bit_first", "mesh:2x2x4", {.nodes = 16}),
    picture_of("broadcast_low_bit_first", "torus:4x4", {.nodes = 16}),
    picture_of("broadcast_low_bit_first", "array", {.nodes = 32}),
    picture_of("broadcast_hypercube", "hypercube", {.nodes = 8}),
    picture_of("broadcast_hypercube", "hypercube", {.nodes = 16}),
    picture_of("broadcast_hypercube", "hypercube", {.nodes = 64}),
    picture_of("broadcast_tree", "tree", {.nodes = 8}),
    picture_of("broadcast_tree", "tree", {.nodes = 32}),
    picture_of("broadcast_direct", "full", {.nodes = 12}),
    picture_of("broadcast_linear", "full", {.nodes = 1}),
    picture_of("broadcast_linear", "full", {.nodes = 2}),
    picture_of("barrier_dissemination", "full", {.nodes = 6}),
    picture_of("all_to_all_direct", "mesh:4x4", {.nodes = 16}),
    picture_of("all_gather_ring", "ring", {.nodes = 6}),
    picture_of("all_gather_ring", "ring", {.nodes = 33}),
    picture_of("all_reduce_two_tree", "ring", {.nodes = 8, .segments = 4}),
    picture_of("all_reduce_rabenseifner", "hypercube", {.nodes = 8}),
    picture_of("broadcast_binomial", "torus:3x3x3", {.nodes = 27}),
    picture_of("broadcast_binomial", "ring", {.nodes = 300}),
    picture_of("broadcast_binomial", "mesh", {.nodes = 1024}),
};

}  // namespace

TEST_CASE("nothing in a picture of rounds is in the way of anything else") {
  for (const RoundsPicture& given : many)
    for (const auto panels :
         {std::optional<Panels>(), std::optional(Panels::one), std::optional(Panels::rounds)}) {
      RoundsPicture picture = given;
      picture.panels = panels;
      CAPTURE(picture.title);
      CAPTURE(picture.topology.text());
      CAPTURE(picture.topology.nodes());
      CHECK(overlaps(drawing_of(picture)) == "");
    }
}

TEST_CASE("every message is an arrow, and every congested link is in the warning colour") {
  for (RoundsPicture picture : many) {
    picture.panels = Panels::rounds;
    if (picture.schedule.rounds().size() > 24) continue;
    CAPTURE(picture.title);
    CAPTURE(picture.topology.text());
    const Drawing drawing = drawing_of(picture);
    CHECK(count_arrows(drawing) == count_messages(picture.schedule));
    CHECK(count_warnings(drawing) == count_congested(picture));
  }
}

TEST_CASE("pictures are well-formed XML without outside references") {
  for (const RoundsPicture& picture : many)
    for (const Theme theme : {Theme::automatic, Theme::light, Theme::dark}) {
      const std::string svg = draw(picture, Pen::svg, theme);
      CHECK(xml_fault(svg) == "");
      CHECK(svg.find("role=\"img\"") != std::string::npos);
      CHECK((svg.find("prefers-color-scheme") != std::string::npos) == (theme == Theme::automatic));
      CHECK(svg.find("http", svg.find("xmlns") + 20) == std::string::npos);
      CHECK(svg.find("url(") == std::string::npos);
    }
}

TEST_CASE("the book's figures have all rounds in one panel, and every arrow has its number") {
  for (const auto& given : {std::tuple{"broadcast_doubling", "ring", 8},
                            {"reduce_doubling", "ring", 8},
                            {"broadcast_mesh", "mesh:4x4", 16},
                            {"broadcast_hypercube", "hypercube", 8},
                            {"broadcast_hypercube", "hypercube", 16},
                            {"broadcast_tree", "tree", 8}}) {
    const auto [name, shape, nodes] = given;
    const RoundsPicture picture = picture_of(name, shape, {.nodes = nodes});
    CAPTURE(picture.title);
    const Drawing drawing = drawing_of(picture);
    CHECK(count_labels(drawing, "round 1") == 0);
    std::size_t numbers = 0;
    for (const Label& label : drawing.labels) numbers += label.backed;
    CHECK(numbers == count_messages(picture.schedule));
  }
}

TEST_CASE("a congested picture has a panel for each round, and the load as a number") {
  const Drawing drawing = drawing_of(picture_of("broadcast_low_bit_first", "array", {.nodes = 8}));
  for (const char* caption : {"round 1", "round 2", "round 3"}) CHECK(count_labels(drawing, caption) == 1);
  CHECK(count_labels(drawing, "2×") == 3);
  CHECK(count_labels(drawing, "3×") == 2);
  CHECK(count_labels(drawing, "4×") == 1);
}

TEST_CASE("one round can be drawn alone") {
  RoundsPicture picture = picture_of("broadcast_low_bit_first", "array", {.nodes = 8});
  picture.round = 2;
  const Drawing drawing = drawing_of(picture);
  CHECK(count_arrows(drawing) == 4);
  CHECK(count_labels(drawing, "round 3") == 1);
  CHECK(count_labels(drawing, "round 1") == 0);
}

TEST_CASE("blocks have colours: one each, or classes") {
  RoundsPicture picture = picture_of("all_reduce_two_tree", "ring", {.nodes = 8, .segments = 4});
  const auto colours = [](const RoundsPicture& of) {
    std::vector<int> found;
    for (const Stroke& stroke : drawing_of(of).strokes)
      if (stroke.head > 0) found.push_back(stroke.ink);
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  };
  CHECK(colours(picture) == std::vector{hue(0), hue(1), hue(2), hue(3)});
  picture.colours = 2;
  CHECK(colours(picture) == std::vector{hue(0), hue(1)});
  picture.colours = 1;
  CHECK(colours(picture) == std::vector{hue(0)});
}

TEST_CASE("a legend names three blocks of a class, and more only where there are more") {
  const Schedule four(2, 4), seven(2, 7);
  CHECK(class_text(four, 1, 3) == "block 1");
  CHECK(class_text(four, 0, 3) == "blocks 0, 3");
  CHECK(class_text(seven, 0, 3) == "blocks 0, 3, 6");
  CHECK(class_text(seven, 0, 2) == "blocks 0, 2, 4, …");
}

TEST_CASE("a picture says how many labels it leaves out") {
  const Drawing drawing = drawing_of(picture_of("broadcast_binomial", "mesh", {.nodes = 1024}));
  CHECK(std::ranges::any_of(drawing.labels,
                            [](const Label& label) { return label.text.ends_with("labels are left out"); }));
  CHECK(count_labels(drawing_of(picture_of("broadcast_doubling", "ring", {.nodes = 8})),
                     "1 label is left out") == 0);
}

TEST_CASE("the text pen writes the same picture in characters") {
  CHECK(draw(picture_of("broadcast_low_bit_first", "array", {.nodes = 4}), Pen::text) ==
        "broadcast_low_bit_first\narray, 4 nodes, routing shortest\n\nround 1\n     0 >  1\n\nround 2\n"
        "     0 >  2     by 1\n     1 >  3     by 2\n  ! 2 messages on the link 1>2\n");
  CHECK(draw(picture_of("reduce_tree", "tree", {.nodes = 2}), Pen::text) ==
        "reduce_tree\ntree, 2 nodes, routing tree\n\nround 1\n     1 >+ 0     by s0\n");
  CHECK(draw(picture_of("all_gather_ring", "ring", {.nodes = 2}), Pen::text) ==
        "all_gather_ring\nring, 2 nodes, routing shortest\n\nround 1\n     0 >  1     blocks 0\n     1 >  0  "
        "   blocks 1\n");
}

TEST_CASE("what does not fit together is refused") {
  RoundsPicture picture = picture_of("broadcast_linear", "full", {.nodes = 4});
  picture.round = 9;
  CHECK_THROWS_WITH_AS(draw(picture, Pen::svg), "there is no round 10: the schedule has 3", UsageError);
  picture.round.reset();
  picture.topology = Topology(shapes::ring{}, 5);
  picture.routing = Routing::shortest;
  CHECK_THROWS_WITH_AS(draw(picture, Pen::text), "a schedule of 4 nodes cannot be drawn on 5 nodes",
                       UsageError);
  const RoundsPicture large = picture_of("broadcast_binomial", "ring", {.nodes = 2000});
  CHECK_THROWS_AS(draw(large, Pen::svg), UsageError);
  CHECK(draw(large, Pen::text).find("round 11") != std::string::npos);
}

TEST_CASE("machines are boxes with a name, each around its own nodes") {
  RoundsPicture picture = on_machines("broadcast_binomial", 3, {.nodes = 12});
  picture.panels = Panels::rounds;
  const Drawing drawing = drawing_of(picture);
  for (const char* const name : {"machine 0", "machine 1", "machine 2"})
    CHECK(count_labels(drawing, name) == 4);  // in each round
  REQUIRE(drawing.rectangles.size() == 3 * 4);
  for (int machine = 0; machine < 3; ++machine) {
    const Box& box = drawing.rectangles[static_cast<std::size_t>(machine)].box;
    int inside = 0;
    for (std::size_t rank = 0; rank < 12; ++rank) {
      const Point at = drawing.discs[rank].center;
      if (!within({at.x, at.y, 0, 0}, box)) continue;
      CHECK(static_cast<int>(rank) / 4 == machine);
      ++inside;
    }
    CHECK(inside == 4);
  }
  const std::string text = draw(picture, Pen::text);
  CHECK(text.find("3 machines, 12 nodes\n") != std::string::npos);
  CHECK(text.find("machine 0 > 2") != std::string::npos);
  CHECK(text.find("machine 0 > 0") == std::string::npos);
  RoundsPicture wrong = on_machines("broadcast_binomial", 5, {.nodes = 12});
  CHECK_THROWS_WITH_AS(draw(wrong, Pen::svg), "12 nodes cannot be drawn on 5 machines, as many on each",
                       UsageError);
  wrong = picture_of("broadcast_binomial", "ring", {.nodes = 12});
  wrong.machines = 3;
  CHECK_THROWS_WITH_AS(draw(wrong, Pen::svg),
                       "messages between machines are drawn on a full topology, not on ring", UsageError);
}

TEST_CASE("rounds that are animated stand at the same place, one of them visible where nothing moves") {
  RoundsPicture picture = picture_of("broadcast_binomial", "hypercube", {.nodes = 8});
  picture.panels = Panels::animated;
  const Drawing drawing = drawing_of(picture);
  REQUIRE(drawing.turns.size() == 3);
  CHECK(count_arrows(drawing) == 0);
  for (std::size_t turn = 0; turn < 3; ++turn) {
    CHECK(count_arrows(drawing.turns[turn]) == 1U << turn);
    CHECK(drawing.turns[turn].discs.front().center == drawing.turns[0].discs.front().center);
    const Box box = bounds(drawing.turns[turn]);
    CHECK(box.y + box.height < drawing.height);
  }
  const std::string svg = draw(picture, Pen::svg);
  CHECK(xml_fault(svg) == "");
  CHECK(svg.find("<g class=\"t t2\">") != std::string::npos);
  CHECK(svg.find(".t~.t{visibility:hidden}") != std::string::npos);
  CHECK(svg.find(".t{animation:turn 4.8s step-end infinite}") != std::string::npos);
  picture.panels = Panels::rounds;
  CHECK(draw(picture, Pen::svg).find("animation") == std::string::npos);
}
