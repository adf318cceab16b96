#include <cmath>
#include <doctest/doctest.h>

#include "draw/rounds.hpp"

using namespace vnode;

TEST_CASE("numbers side by side keep apart: they would be one number") {
  const std::vector<Point> line{{0, 0}, {200, 0}};
  Places places{Drawing{}};
  std::vector<Box> boxes;
  for (int i = 0; i < 4; ++i) {
    Label label{.text = "1", .size = 10};
    REQUIRE(places.find(label, line, {}, 0));
    for (const Box& other : boxes) {
      const Box box = box_of(label);
      CHECK((box.x >= other.x + other.width + 3.9 || other.x >= box.x + box.width + 3.9));
    }
    boxes.push_back(box_of(label));
  }
}

TEST_CASE("a label keeps away from the lines of others, by more than their width") {
  const std::vector<Point> line{{0, 0}, {200, 0}};
  Places places{Drawing{}};
  Label label{.text = "1", .size = 10};
  const std::vector<Stroke> others{{.points = {{104.5, -50}, {104.5, 50}}, .width = 2}};
  REQUIRE(places.find(label, line, others, others.size()));
  CHECK(std::abs(label.at.x - 104.5) > box_of(label).width / 2 + 2.9);
}
