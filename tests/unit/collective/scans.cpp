// Tests scans, docs/collectives.md 2.3, 7.6 and 7.8.
#include <doctest/doctest.h>

#include <vnode/model/algorithms.hpp>

#include "built.hpp"

using namespace vnode;

TEST_CASE(
    "2.3: algorithm 4.9 adds a total from below to result and total, one from above to the total alone") {
  CHECK(drawn("scan_hypercube", {.nodes = 8}) ==
        "1: 0+>1[1:0] 0+>1[1] 1>+0[1] 2+>3[1:0] 2+>3[1] 3>+2[1] 4+>5[1:0] 4+>5[1] 5>+4[1] 6+>7[1:0]; "
        "2: 0+>2[1:0] 0+>2[1] 1+>3[1:0] 1+>3[1] 2>+0[1] 3>+1[1] 4+>6[1:0] 5+>7[1:0]; "
        "3: 0+>4[1:0] 1+>5[1:0] 2+>6[1:0] 3+>7[1:0]");
}

TEST_CASE("2.3: an exclusive result begins with the first total from below") {
  CHECK(drawn("exclusive_scan_hypercube", {.nodes = 4}) ==
        "1: 0>1[1:0] 0+>1[1] 1>+0[1] 2>3[1:0]; 2: 0>2[1:0] 1+>3[1:0]");
}

TEST_CASE("2.3: Hillis-Steele on five nodes, with and without the own contribution") {
  CHECK(drawn("scan_hillis_steele", {.nodes = 5}) == "1: 0+>1 1+>2 2+>3 3+>4; 2: 0+>2 1+>3 2+>4; 3: 0+>4");
  CHECK(drawn("exclusive_scan_hillis_steele", {.nodes = 5}) ==
        "1: 0>1[1:0] 0+>1[1] 1>2[1:0] 1+>2[1] 2>3[1:0] 3>4[1:0]; 2: 0+>2[1:0] 1+>3[1:0] 2+>4[1:0]; "
        "3: 0+>4[1:0]");
}

TEST_CASE("7.6: a pipeline of two segments on four nodes takes p - 2 + k rounds") {
  CHECK(drawn("scan_linear", {.nodes = 4, .segments = 2}) ==
        "1: 0+>1[0]; 2: 0+>1[1] 1+>2[0]; 3: 1+>2[1] 2+>3[0]; 4: 2+>3[1]");
  CHECK(
      drawn("exclusive_scan_linear", {.nodes = 4, .segments = 2}) ==
      "1: 0>1[2:0] 0+>1[2]; 2: 0>1[3:1] 0+>1[3] 1>2[2:0] 1+>2[2]; 3: 1>2[3:1] 1+>2[3] 2>3[2:0]; 4: 2>3[3:1]");
}

TEST_CASE("7.8: in two levels a node reads 2 (sqrt p - 1) others") {
  CHECK(drawn("scan_direct", {.nodes = 6}) == "1: 0+>1 0+>2 1+>2 3+>4 3+>5 4+>5; 2: 2+>3 2+>4 2+>5");
  for (const int root : {2, 3, 5, 8})
    for (const char* name : {"scan_direct", "exclusive_scan_direct"}) {
      const Schedule schedule = algorithm(name).build({.nodes = root * root});
      CHECK(schedule.rounds().size() == 2);
      CHECK(step_synchronous_cost(schedule, 1).received == 2 * (root - 1));
    }
}

TEST_CASE("an exclusive scan takes the messages of the scan, and no more to combine") {
  for (const std::string way : {"hypercube", "hillis_steele", "linear", "direct"})
    for (const int nodes : {1, 2, 4, 8, 16, 32}) {
      CAPTURE(way);
      CAPTURE(nodes);
      const Parameters parameters{.nodes = nodes, .segments = way == "linear" ? 3 : 1};
      const Cost scan = algorithm("scan_" + way).cost(parameters);
      const Cost exclusive = algorithm("exclusive_scan_" + way).cost(parameters);
      CHECK(exclusive.startups == scan.startups);
      CHECK(exclusive.words == scan.words);
      CHECK(exclusive.received == scan.received);
    }
}
