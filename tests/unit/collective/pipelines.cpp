// Tests docs/collectives.md 6.2 to 6.4: pipelines along a line and down trees, by their closed forms; any
// root.
#include <algorithm>
#include <doctest/doctest.h>
#include <string>

#include <vnode/lab/notation.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/verify.hpp>

#include "building_blocks/formula.hpp"
#include "built.hpp"

using namespace vnode;

namespace {

int fibonacci_depth(int nodes) { return rounds(algorithm("broadcast_fibonacci"), {.nodes = nodes}); }

}  // namespace

TEST_CASE("6.2: a pipeline takes p - 2 + k rounds") {
  CHECK(drawn("broadcast_pipeline", {.nodes = 4, .root = 2, .segments = 2}) ==
        "1: 2>3[0]; 2: 2>3[1] 3>0[0]; 3: 3>0[1] 0>1[0]; 4: 0>1[1]");
  for (int p = 2; p <= 64; ++p)
    for (const int k : {1, 2, 3, 16}) {
      const Cost cost = algorithm("broadcast_pipeline").cost({.nodes = p, .segments = k});
      CHECK(cost.startups == p - 2 + k);
      CHECK(cost.words == doctest::Approx(double(p - 2 + k) / k));
    }
}

TEST_CASE("6.3: Fibonacci trees of depth 0 to 8 have up to 1, 2, 4, 7, 12, 20, 33, 54, 88 nodes") {
  const int most[] = {1, 2, 4, 7, 12, 20, 33, 54, 88};
  for (int depth = 0; depth <= 8; ++depth) {
    CHECK(fibonacci_depth(most[depth]) == depth);
    CHECK(fibonacci_depth(most[depth] + 1) == depth + 1);
    if (depth < 2) continue;
    // The root's second child is the next rank behind those below its first.
    const Round& second = algorithm("broadcast_fibonacci").build({.nodes = most[depth]}).rounds()[1];
    CHECK(std::ranges::find(second, 0, &Transfer::from)->to == 1 + most[depth - 1]);
  }
}

TEST_CASE("6.3: a Fibonacci tree of depth d takes d + 2 (k - 1) rounds from four nodes on") {
  CHECK(drawn("broadcast_fibonacci", {.nodes = 7}) == "1: 0>1; 2: 1>2 0>5; 3: 2>3 1>4 5>6");
  for (int p = 2; p <= 64; ++p)
    for (const int k : {1, 2, 3, 16}) {
      const Schedule schedule = algorithm("broadcast_fibonacci").build({.nodes = p, .segments = k});
      CAPTURE(p);
      CAPTURE(k);
      CHECK(int(schedule.rounds().size()) == (p > 3 ? fibonacci_depth(p) + 2 * (k - 1) : p == 3 ? k + 1 : k));
    }
}

TEST_CASE("6.3: a full binary tree of height h takes 2 h + 2 (k - 1) rounds, and others no more") {
  for (int p = 3; p <= 127; ++p)
    for (const int k : {1, 2, 3, 16}) {
      const int height = ceil_log2(p + 1) - 1, most = 2 * height + 2 * (k - 1);
      const int taken = static_cast<int>(
          algorithm("broadcast_binary_tree").build({.nodes = p, .segments = k}).rounds().size());
      CAPTURE(p);
      if (p + 1 == (2 << height))
        CHECK(taken == most);
      else
        CHECK(taken < most);
    }
}

TEST_CASE("from two roots a reduction through trees keeps rank order as it is, otherwise through rank 0") {
  for (const char* name : {"reduce_pipeline", "reduce_binary_tree", "reduce_fibonacci", "reduce_two_tree",
                           "reduce_two_tree_shifted"})
    for (int p = 3; p <= 20; ++p) {
      int as_they_are = 0;
      for (Rank root = 0; root < p; ++root) {
        Parameters parameters{.nodes = p, .root = root, .keep_order = true, .segments = 3};
        const int steps = rounds(algorithm(name), parameters);
        parameters.root = 0;
        as_they_are += steps == rounds(algorithm(name), parameters);
      }
      CAPTURE(name);
      CAPTURE(p);
      CHECK(as_they_are == 2);
    }
}

TEST_CASE("6.4: broadcast, reduction and scan on two trees are right for every p up to 130") {
  for (const char* name : {"broadcast_two_tree", "broadcast_two_tree_shifted", "reduce_two_tree",
                           "reduce_two_tree_shifted", "scan_two_tree", "exclusive_scan_two_tree"})
    for (int p = 1; p <= 130; ++p)
      for (const int k : {1, 2, 5}) {
        const Algorithm& subject = algorithm(name);
        Parameters parameters{.nodes = p, .root = p / 3, .segments = k};
        if (!has_root(subject.collective)) parameters.root = 0;
        parameters.keep_order = combines(subject.collective) && p % 2 == k % 2;
        const Schedule schedule = subject.build(parameters);
        const Promises promises{.rounds = rounds(subject, parameters),
                                .transfers = subject.transfers.value(parameters),
                                .cost = subject.cost(parameters),
                                .in_order = parameters.keep_order};
        const auto findings =
            verify(schedule, contract(subject.collective, parameters, schedule.blocks()), promises);
        CAPTURE(name);
        CAPTURE(p);
        CAPTURE(k);
        CHECK_MESSAGE(findings.empty(), (findings.empty() ? "" : findings[0]));
      }
}

TEST_CASE("6.4: a scan on two trees of four nodes") {
  CHECK(drawn("scan_two_tree", {.nodes = 4}) ==
        "1: 1+>2[1:0]; 2: 0+>2[1:0] 0>2[1]; 3: 2+>1[1:0]; 4: 2+>3[0]");
}
