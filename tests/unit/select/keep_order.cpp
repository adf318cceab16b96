// Tests operators that are not commutative, over the whole register.
#include <doctest/doctest.h>
#include <string>

#include <vnode/model/algorithms.hpp>
#include <vnode/model/select.hpp>

using namespace vnode;

namespace {

constexpr CostModel costs{100e-9, 0.1e-9, 0.02e-9, 0.02e-9};

Parameters in_order(int nodes) {
  Parameters parameters;
  parameters.nodes = nodes;
  parameters.keep_order = true;
  const Topology squarest(shapes::mesh{}, nodes);
  parameters.extents.assign(squarest.extents().begin(), squarest.extents().end());
  return parameters;
}

}

TEST_CASE("what never combines in rank order is refused with a sentence, on more than two nodes") {
  int refused = 0;
  for (const Algorithm& algorithm : algorithms())
    for (int nodes = 2; nodes <= 17; ++nodes) {
      if (!combines(algorithm.collective) || algorithm.keeps_order != KeepsOrder::never) continue;
      CAPTURE(algorithm.name);
      CAPTURE(nodes);
      Parameters parameters = in_order(nodes);
      const auto reason = why_not(algorithm, parameters);
      parameters.keep_order = false;
      const auto otherwise = why_not(algorithm, parameters);
      if (otherwise || nodes == 2) {
        CHECK(reason == otherwise);
        continue;
      }
      CHECK(reason == "needs a commutative operator: it does not combine in rank order");
      ++refused;
    }
  CHECK(refused > 50);
}

TEST_CASE("what keeps the order is refused for no more than without it") {
  for (const Algorithm& algorithm : algorithms())
    for (int nodes = 2; nodes <= 17; ++nodes) {
      if (!combines(algorithm.collective) || algorithm.keeps_order == KeepsOrder::never) continue;
      Parameters parameters = in_order(nodes);
      const auto reason = why_not(algorithm, parameters);
      parameters.keep_order = false;
      CAPTURE(algorithm.name);
      CHECK(reason == why_not(algorithm, parameters));
    }
}

TEST_CASE("none of those that never combine in rank order is ever chosen for an operator that needs it") {
  for (const Collective collective : collectives()) {
    if (!combines(collective)) continue;
    for (int nodes = 3; nodes <= 17; ++nodes)
      for (const Rank root : {0, nodes - 1})
        for (const Shape& shape : {Shape(shapes::full{}), Shape(shapes::ring{}), Shape(shapes::mesh{})})
          for (const std::size_t bytes : {8u, 4096u, 1u << 20}) {
            Demand demand;
            demand.collective = collective;
            demand.bytes = bytes;
            demand.parameters = in_order(nodes);
            demand.parameters.root = root;
            demand.parameters.segments = 0;
            const Candidate taken = choose(demand, Topology(shape, nodes), costs);
            CAPTURE(taken.algorithm->name);
            CAPTURE(nodes);
            CHECK(taken.algorithm->keeps_order != KeepsOrder::never);
          }
  }
}
