// Tests schedules that docs/collectives.md spells out or describes, 1.2 to 1.8 and 7.1, literally.
#include <doctest/doctest.h>

#include <vnode/lab/notation.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/compose.hpp>

#include "built.hpp"

using namespace vnode;

TEST_CASE("1.2: recursive doubling on eight nodes, from 0 and from 5") {
  CHECK(drawn("broadcast_doubling", {.nodes = 8}) == "1: 0>4; 2: 0>2 4>6; 3: 0>1 2>3 4>5 6>7");
  CHECK(drawn("broadcast_doubling", {.nodes = 8, .root = 5}) == "1: 5>1; 2: 5>7 1>3; 3: 5>4 7>6 1>0 3>2");
}

TEST_CASE("1.2: the wrong order doubles distances") {
  CHECK(drawn("broadcast_low_bit_first", {.nodes = 8}) == "1: 0>1; 2: 0>2 1>3; 3: 0>4 1>5 2>6 3>7");
}

TEST_CASE("1.2: the reduction receives the higher ranks on the right") {
  CHECK(drawn("reduce_doubling", {.nodes = 8}) == "1: 1>+0 3>+2 5>+4 7>+6; 2: 2>+0 6>+4; 3: 4>+0");
  CHECK(drawn("reduce_doubling", {.nodes = 8, .root = 5}) == "1: 4+>5 6+>7 0+>1 2+>3; 2: 7>+5 3>+1; 3: 1+>5");
}

TEST_CASE("1.3: the rotated binomial tree on six nodes, from 0 and from 5") {
  CHECK(drawn("broadcast_binomial", {.nodes = 6}) == "1: 0>4; 2: 0>2; 3: 0>1 2>3 4>5");
  CHECK(drawn("broadcast_binomial", {.nodes = 6, .root = 5}) == "1: 5>3; 2: 5>1; 3: 5>0 1>2 3>4");
}

TEST_CASE("1.3: where the rotation wraps, rank 0 combines first and sends the result on") {
  CHECK(drawn("reduce_binomial", {.nodes = 6, .root = 4, .keep_order = true}) ==
        "1: 1>+0 3>+2 5>+4; 2: 2>+0; 3: 4>+0; 4: 0>4");
  CHECK(drawn("reduce_binomial", {.nodes = 6, .root = 2, .keep_order = true}) ==
        "1: 3>+2 5>+4 1>+0; 2: 4>+2; 3: 0+>2");
}

TEST_CASE("1.4: rows, then columns") {
  CHECK(drawn("broadcast_mesh", {.nodes = 16, .extents = {4, 4}}) ==
        "1: 0>2; 2: 0>1 2>3; 3: 0>8 1>9 2>10 3>11; 4: 0>4 8>12 1>5 9>13 2>6 10>14 3>7 11>15");
  for (const auto& [rows, columns, rounds] : {std::array{3, 3, 4}, std::array{3, 5, 5}, std::array{5, 5, 6}})
    CHECK(algorithm("broadcast_mesh")
              .build({.nodes = rows * columns, .extents = {rows, columns}})
              .rounds()
              .size() == std::size_t(rounds));
}

TEST_CASE("1.5: lines, planes, space") {
  CHECK(drawn("broadcast_mesh", {.nodes = 8, .extents = {2, 2, 2}}) ==
        "1: 0>1; 2: 0>2 1>3; 3: 0>4 1>5 2>6 3>7");
  CHECK(algorithm("broadcast_mesh").build({.nodes = 27, .root = 13, .extents = {3, 3, 3}}).rounds().size() ==
        6);
}

TEST_CASE("1.6: any order of the dimensions") {
  CHECK(drawn("broadcast_hypercube", {.nodes = 8, .root = 1, .dimension_order = {1, 0, 2}}) ==
        "1: 1>3; 2: 1>0 3>2; 3: 1>5 0>4 3>7 2>6");
  CHECK(drawn("broadcast_hypercube", {.nodes = 8}) == drawn("broadcast_doubling", {.nodes = 8}));
}

TEST_CASE("1.7: the tree has the sends of 1.2") {
  CHECK(drawn("broadcast_tree", {.nodes = 8, .root = 5}) ==
        drawn("broadcast_doubling", {.nodes = 8, .root = 5}));
}

TEST_CASE("1.8: in the 4x4 product, 9 hears x[1] from 1 and is in the reduction of y[2] on 8") {
  const auto column = [](int j) { return std::array<Rank, 4>{j, 4 + j, 8 + j, 12 + j}; };
  const auto row = [](int i) { return std::array<Rank, 4>{4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3}; };
  const Schedule down = compose::on_group(algorithm("broadcast_doubling").build({.nodes = 4}), 16, column(1));
  const Schedule along = compose::on_group(algorithm("reduce_doubling").build({.nodes = 4}), 16, row(2));
  CHECK(picture(down) == "1: 1>9; 2: 1>5 9>13");
  CHECK(picture(along) == "1: 9>+8 11>+10; 2: 10>+8");
}

TEST_CASE("7.1: the dissemination barrier signals 1, 2, 4 further on") {
  CHECK(drawn("barrier_dissemination", {.nodes = 5}) ==
        "1: 0>1 1>2 2>3 3>4 4>0; 2: 0>2 1>3 2>4 3>0 4>1; 3: 0>4 1>0 2>1 3>2 4>3");
}

TEST_CASE("one node alone has nothing to do") {
  for (const Algorithm& algorithm : algorithms())
    CHECK_MESSAGE(algorithm.build({.nodes = 1, .extents = {1, 1}, .hierarchy = Hierarchy::parse("1x1", 1)})
                      .rounds()
                      .empty(),
                  algorithm.name);
}
