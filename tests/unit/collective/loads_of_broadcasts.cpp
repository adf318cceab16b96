// Tests docs/collectives.md 8: rows of broadcasts on meshes and down pipelined trees.
#include <doctest/doctest.h>

#include "load_row.hpp"

using namespace vnode;

namespace {

constexpr Row rows[] = {
    {"broadcast_mst", 6, 3, 3, {1, 1, 1, 0}, {3, 3, 3, 0}},
    {"broadcast_recursive_splitting", 6, 3, 3, {1, 1, 1, 0}, {3, 3, 3, 0}},
    {"broadcast_recursive_splitting", 6, 3, 3, {1, 1, 1, 0}, {3, 3, 3, 0}, 1, 3},
    {"broadcast_pipeline", 6, 8, 2, {1, 1, 1, 0}, {2, 2, 2, 0}, 4},
    {"broadcast_fibonacci", 6, 9, 9 / 4., {2, 2, 2, 0}, {17 / 4., 13 / 4., 13 / 4., 0}, 4},
    {"broadcast_two_tree", 6, 7, 7 / 4., {2, 1, 2, 0}, {5 / 2., 7 / 4., 2, 0}, 4},
    {"broadcast_fences", 6, 9, 9 / 4., {2, 2, 1, 0}, {7 / 2., 7 / 2., 9 / 4., 0}, 4},
    {"broadcast_pipeline", 6, 20, 5 / 4., {1, 1, 1, 0}, {5 / 4., 5 / 4., 5 / 4., 0}, 16},
    {"broadcast_fibonacci", 6, 33, 33 / 16., {2, 2, 2, 0}, {65 / 16., 49 / 16., 49 / 16., 0}, 16},
    {"broadcast_two_tree", 6, 19, 19 / 16., {2, 1, 2, 0}, {17 / 8., 19 / 16., 13 / 8., 0}, 16},
    {"broadcast_fences", 6, 21, 21 / 16., {2, 2, 1, 0}, {19 / 8., 19 / 8., 21 / 16., 0}, 16},
    {"scatter_recursive_splitting", 6, 3, 6, {1, 1, 1, 0}, {6, 6, 6, 0}},
    {"broadcast_mst", 8, 3, 3, {1, 1, 1, 1}, {3, 3, 3, 3}},
    {"broadcast_recursive_splitting", 8, 3, 3, {1, 1, 1, 1}, {3, 3, 3, 3}},
    {"broadcast_recursive_splitting", 8, 3, 3, {1, 1, 1, 1}, {3, 3, 3, 3}, 1, 4},
    {"broadcast_pipeline", 8, 10, 5 / 2., {1, 1, 1, 1}, {5 / 2., 5 / 2., 5 / 2., 5 / 2.}, 4},
    {"broadcast_fibonacci", 8, 10, 5 / 2., {2, 2, 2, 1}, {9 / 2., 7 / 2., 7 / 2., 5 / 2.}, 4},
    {"broadcast_two_tree", 8, 8, 2, {2, 2, 2, 2}, {3, 11 / 4., 3, 11 / 4.}, 4},
    {"broadcast_fences", 8, 10, 5 / 2., {2, 2, 1, 1}, {9 / 2., 17 / 4., 5 / 2., 5 / 2.}, 4},
    {"broadcast_pipeline", 8, 22, 11 / 8., {1, 1, 1, 1}, {11 / 8., 11 / 8., 11 / 8., 11 / 8.}, 16},
    {"broadcast_fibonacci", 8, 34, 17 / 8., {2, 2, 2, 1}, {33 / 8., 25 / 8., 25 / 8., 17 / 8.}, 16},
    {"broadcast_two_tree", 8, 20, 5 / 4., {3, 2, 2, 2}, {21 / 8., 35 / 16., 9 / 4., 35 / 16.}, 16},
    {"broadcast_fences", 8, 22, 11 / 8., {2, 3, 1, 1}, {21 / 8., 23 / 8., 11 / 8., 11 / 8.}, 16},
    {"scatter_recursive_splitting", 8, 3, 7, {1, 1, 1, 1}, {7, 7, 7, 7}},
    {"broadcast_mst", 16, 4, 4, {1, 1, 1, 1}, {4, 4, 4, 4}},
    {"broadcast_recursive_splitting", 16, 4, 4, {1, 1, 1, 1}, {4, 4, 4, 4}},
    {"broadcast_recursive_splitting", 16, 4, 4, {1, 1, 1, 1}, {4, 4, 4, 4}, 1, 8},
    {"broadcast_pipeline", 16, 18, 9 / 2., {1, 1, 1, 1}, {9 / 2., 9 / 2., 9 / 2., 9 / 2.}, 4},
    {"broadcast_fibonacci", 16, 11, 11 / 4., {3, 3, 1, 1}, {27 / 4., 23 / 4., 11 / 4., 11 / 4.}, 4},
    {"broadcast_two_tree", 16, 10, 5 / 2., {2, 2, 2, 2}, {7 / 2., 13 / 4., 13 / 4., 13 / 4.}, 4},
    {"broadcast_fences", 16, 12, 3, {3, 3, 1, 1}, {25 / 4., 23 / 4., 3, 3}, 4},
    {"broadcast_pipeline", 16, 30, 15 / 8., {1, 1, 1, 1}, {15 / 8., 15 / 8., 15 / 8., 15 / 8.}, 16},
    {"broadcast_fibonacci", 16, 35, 35 / 16., {3, 3, 1, 1}, {99 / 16., 83 / 16., 35 / 16., 35 / 16.}, 16},
    {"broadcast_two_tree", 16, 22, 11 / 8., {3, 2, 2, 2}, {11 / 4., 37 / 16., 37 / 16., 37 / 16.}, 16},
    {"broadcast_fences", 16, 24, 3 / 2., {3, 3, 1, 1}, {31 / 8., 59 / 16., 3 / 2., 3 / 2.}, 16},
    {"scatter_recursive_splitting", 16, 4, 15, {1, 1, 1, 1}, {15, 15, 15, 15}},
};

}  // namespace

TEST_CASE("section 8: steps, words, loads and scaled words of broadcasts on meshes and down trees") {
  for (const Row& row : rows) {
    const Parameters parameters{
        .nodes = row.nodes, .root = row.root, .extents = extents(row.nodes), .segments = row.segments};
    CAPTURE(row.segments);
    CAPTURE(row.root);
    const Schedule schedule = built(row.algorithm, parameters);
    check(row, schedule, message_blocks(row.algorithm, parameters, schedule));
    const Cost cost = algorithm(row.algorithm).cost(parameters);
    CHECK(cost.startups == row.steps);
    CHECK(cost.words == doctest::Approx(row.words));
  }
}
