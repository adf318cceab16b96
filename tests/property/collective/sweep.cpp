#include <algorithm>
#include <doctest/doctest.h>
#include <set>

#include <vnode/lab/notation.hpp>
#include <vnode/lab/sweep.hpp>
#include <vnode/model/algorithms.hpp>

#include "brief.hpp"

using namespace vnode;
using vnode_test::brief;

TEST_CASE(
    "every registered algorithm keeps its promises for every p, root and carrier, and no mutant survives") {
  long checks = 0, mutants = 0;
  const std::vector<SweepResult> results =
      sweep(algorithms(), {.max_nodes = brief() ? 20 : 40, .mutant_nodes = brief() ? 6 : 9});
  REQUIRE(results.size() == algorithms().size());
  for (const SweepResult& result : results) {
    CAPTURE(result.algorithm);
    CHECK(result.checks > 0);
    CHECK(result.mutants > 0);
    for (const std::string& failure : result.failures) FAIL_CHECK(failure);
    checks += result.checks;
    mutants += result.mutants;
  }
  MESSAGE(checks << " checks, " << mutants << " mutants rejected");
}

TEST_CASE("a sweep tries all roots, factorisations, orders of dimensions, with and without rank order") {
  const auto ways = [](const char* name, int nodes) { return every_way(algorithm(name), nodes); };
  CHECK(ways("broadcast_binomial", 7).size() == 7);
  CHECK(ways("broadcast_doubling", 7).empty());
  CHECK(ways("barrier_tree", 7).size() == 1);
  CHECK(ways("reduce_binomial", 7).size() == 14);
  CHECK(ways("broadcast_hypercube", 8).size() == 8 * 7);
  CHECK(ways("broadcast_hypercube", 32).size() == 32 * 6);
  std::set<std::vector<int>> extents;
  for (const Parameters& way : ways("broadcast_mesh", 6)) extents.insert(way.extents);
  CHECK(extents == std::set<std::vector<int>>{{1, 6},
                                              {2, 3},
                                              {3, 2},
                                              {6, 1},
                                              {1, 1, 6},
                                              {1, 2, 3},
                                              {1, 3, 2},
                                              {1, 6, 1},
                                              {2, 1, 3},
                                              {2, 3, 1},
                                              {3, 1, 2},
                                              {3, 2, 1},
                                              {6, 1, 1}});
  CHECK(ways("broadcast_mesh", 28).size() == 28 * 6);
}

TEST_CASE("a sweep finds false promises") {
  const auto failures = [](const char* name, auto spoil) {
    Algorithm algorithm = vnode::algorithm(name);
    spoil(algorithm);
    return sweep({&algorithm, 1}, {.max_nodes = 5, .mutant_nodes = 5}).at(0).failures;
  };
  const char* name = "broadcast_low_bit_first";
  static constexpr Carrier line[] = {{"array", ""}};
  CHECK(failures(name, [](Algorithm&) {}).empty());
  CHECK(failures(name, [](Algorithm& a) { a.carriers = line; }).at(0) ==
        "p = 4, root 0: load 2 on array by shortest, load 1 is promised");
  CHECK_FALSE(
      failures(name, [](Algorithm& a) { a.transfers.value = [](const Parameters&) { return 7; }; }).empty());
  CHECK_FALSE(
      failures(name, [](Algorithm& a) { a.cost = [](const Parameters&) { return Cost{}; }; }).empty());
  CHECK_FALSE(failures(name, [](Algorithm& a) { a.needs = {}; }).empty());
  const std::vector<std::string> brackets = failures("all_reduce_doubling", [](Algorithm& a) {
    a.build = [](const Parameters& parameters) {
      if (parameters.nodes != 4) return algorithm("all_reduce_doubling").build(parameters);
      return schedule_from_text("nodes 4 blocks 1\n1: 1>+0 0+>1\n2: 2>+0 3>+2\n3: 3>+0 2>+1\n4: 0>2 1>3");
    };
  });
  CHECK(std::ranges::find(brackets,
                          "p = 4, root 0: block 0 is (((0 1) 2) 3) on node 0, but ((0 1) (2 3)) on node 1: "
                          "their bits may differ") != brackets.end());
  const std::vector<std::string> survivors = failures("broadcast_binomial", [](Algorithm& a) {
    a.peers = [](const Parameters&, int, Rank, Rank) { return true; };
  });
  CHECK(survivors.at(0) == "p = 3, root 0: this mutant is accepted: round 2, transfer 1 (0>1): from node 2");
}
