// Tests all_gathers, reduce_scatters and all_reduces, docs/collectives.md 2.1 to 2.3, 7.3 and 7.4.
#include <doctest/doctest.h>

#include <vnode/lab/link_loads.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/compose.hpp>

#include "built.hpp"

using namespace vnode;

namespace {

double words(std::string_view name, int nodes) {
  const Schedule schedule = built(name, {.nodes = nodes});
  return step_synchronous_cost(schedule, schedule.blocks()).words;
}

double scaled_on_a_line(const Schedule& schedule) {
  const Topology line(shapes::array{}, schedule.nodes());
  return scaled_words(link_loads(schedule, line, line.default_routing()), schedule.blocks());
}

}  // namespace

TEST_CASE("2.1: on a ring of four, what came last goes on") {
  CHECK(drawn("all_gather_ring", {.nodes = 4}) ==
        "1: 0>1[0] 1>2[1] 2>3[2] 3>0[3]; 2: 0>1[3] 1>2[0] 2>3[1] 3>0[2]; 3: 0>1[2] 1>2[3] 2>3[0] 3>0[1]");
}

TEST_CASE("2.1: on a mesh, rows of single blocks, then columns of whole rows") {
  CHECK(drawn("all_gather_mesh", {.nodes = 6, .extents = {2, 3}}) ==
        "1: 0>1[0] 1>2[1] 2>0[2] 3>4[3] 4>5[4] 5>3[5]; 2: 0>1[2] 1>2[0] 2>0[1] 3>4[5] 4>5[3] 5>3[4]; "
        "3: 0>3[0-2] 1>4[0-2] 2>5[0-2] 3>0[3-5] 4>1[3-5] 5>2[3-5]");
}

TEST_CASE("2.1: algorithm 4.7 doubles intervals, any other order of dimensions gathers the same") {
  CHECK(drawn("all_gather_hypercube", {.nodes = 4}) ==
        "1: 0>1[0] 1>0[1] 2>3[2] 3>2[3]; 2: 0>2[0-1] 1>3[0-1] 2>0[2-3] 3>1[2-3]");
  CHECK(drawn("all_gather_hypercube", {.nodes = 4, .dimension_order = {1, 0}}) ==
        "1: 0>2[0] 1>3[1] 2>0[2] 3>1[3]; 2: 0>1[0,2] 1>0[1,3] 2>3[0,2] 3>2[1,3]");
}

TEST_CASE("2.2: algorithm 4.5 sends left; node 0's result comes last from 1") {
  CHECK(drawn("reduce_scatter_ring", {.nodes = 3}) ==
        "1: 1>+0[2] 2>+1[0] 0+>2[1]; 2: 1>+0[0] 2+>1[1] 0+>2[2]");
}

TEST_CASE("2.2: algorithm 4.8 sends the partner's half, half of the rest, and so on") {
  CHECK(drawn("reduce_scatter_hypercube", {.nodes = 4}) ==
        "1: 2>+0[0-1] 3>+1[0-1] 0+>2[2-3] 1+>3[2-3]; 2: 1>+0[0] 0+>1[1] 3>+2[2] 2+>3[3]");
}

TEST_CASE("2.2: in rank order, algorithm 4.8 begins with the lowest dimension") {
  CHECK(drawn("reduce_scatter_hypercube", {.nodes = 4, .keep_order = true}) ==
        "1: 1>+0[0,2] 0+>1[1,3] 3>+2[0,2] 2+>3[1,3]; 2: 2>+0[0] 3>+1[1] 0+>2[2] 1+>3[3]");
}

TEST_CASE("2.3: partners in an all-reduce both have the lower one on the left") {
  CHECK(drawn("all_reduce_doubling", {.nodes = 4}) == "1: 0+>1 1>+0 2+>3 3>+2; 2: 0+>2 1+>3 2>+0 3>+1");
}

TEST_CASE("7.3: six nodes fold to four, of ranks 1, 3, 4, 5") {
  CHECK(drawn("all_reduce_doubling", {.nodes = 6}) ==
        "1: 0+>1 2+>3; 2: 1+>3 3>+1 4+>5 5>+4; 3: 1+>4 3+>5 4>+1 5>+3; 4: 1>0 3>2");
}

TEST_CASE("7.3: the words of Rabenseifner's all-reduce with and without fold") {
  CHECK(words("all_reduce_rabenseifner", 6) == 3.5);
  CHECK(words("all_reduce_rabenseifner", 8) == 1.75);
  CHECK(words("all_reduce_rabenseifner", 12) == 3.75);
}

TEST_CASE(
    "7.3: with distances that double, Rabenseifner's long messages stay near; with 4.8 and 4.7 they go far") {
  const Parameters eight{.nodes = 8};
  const Schedule halving_distances =
      compose::then(built("reduce_scatter_hypercube", eight), built("all_gather_hypercube", eight));
  CHECK(scaled_on_a_line(halving_distances) == 5.25);
  CHECK(scaled_on_a_line(built("all_reduce_rabenseifner", eight)) == 3);
}

TEST_CASE("7.3: survivors halve for the folded ranks too, and send them their block in the end") {
  CHECK(drawn("reduce_scatter_halving", {.nodes = 3}) == "1: 0+>1; 2: 1+>2[2] 2>+1[0-1]; 3: 1>0[0]");
  const Cost six = step_synchronous_cost(built("reduce_scatter_halving", {.nodes = 6}), 1);
  CHECK(six.startups == 4);
  CHECK(six.words == 6 + 3 + 2 + 1);
  CHECK(six.combined == 6 + 3 + 2);
}

TEST_CASE("7.3: neighbour exchange on six nodes") {
  CHECK(drawn("all_gather_neighbour_exchange", {.nodes = 6}) ==
        "1: 0>1[0] 1>0[1] 2>3[2] 3>2[3] 4>5[4] 5>4[5]; "
        "2: 0>5[0-1] 1>2[0-1] 2>1[2-3] 3>4[2-3] 4>3[4-5] 5>0[4-5]; "
        "3: 0>1[4-5] 1>0[2-3] 2>3[0-1] 3>2[4-5] 4>5[2-3] 5>4[0-1]");
}

TEST_CASE("7.4: Bruck on five nodes: runs from the own block on, 1, 2 and 1 long") {
  CHECK(drawn("all_gather_bruck", {.nodes = 5}) ==
        "1: 0>4[0] 1>0[1] 2>1[2] 3>2[3] 4>3[4]; 2: 0>3[0-1] 1>4[1-2] 2>0[2-3] 3>1[3-4] 4>2[4,0]; "
        "3: 0>1[0] 1>2[1] 2>3[2] 3>4[3] 4>0[4]");
}

TEST_CASE("all-reduces by parts move 2 (p - 1) / p of the message, for any p where there is no fold") {
  for (const int p : {3, 5, 6, 8})
    for (const char* name : {"all_reduce_ring", "all_reduce_pairwise"})
      CHECK(words(name, p) == doctest::Approx(2.0 * (p - 1) / p));
}
