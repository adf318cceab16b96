// Tests all-port communication on the hypercube by rotated dimensions, docs/collectives.md 4.1.
#include <bit>
#include <doctest/doctest.h>

#include <vnode/model/algorithms.hpp>

#include "built.hpp"

using namespace vnode;

TEST_CASE("4.1: on four nodes two trees, one first along dimension 1, one first along dimension 0") {
  CHECK(drawn("broadcast_rotated", {.nodes = 4}) == "1: 0>2[0] 0>1[1]; 2: 0>1[0] 2>3[0] 0>2[1] 1>3[1]");
  CHECK(drawn("broadcast_rotated", {.nodes = 4, .root = 3}) ==
        "1: 3>1[0] 3>2[1]; 2: 3>2[0] 1>0[0] 3>1[1] 2>0[1]");
}

TEST_CASE("4.1: in round t, part j uses dimension (pi(t) + j) mod d, of every collective") {
  struct Base {
    const char* name;
    bool highest_first;
  };
  constexpr int d = 4;
  for (const Base& base :
       {Base{"broadcast_rotated", true}, Base{"scatter_rotated", true}, Base{"reduce_scatter_rotated", true},
        Base{"reduce_rotated", false}, Base{"gather_rotated", false}, Base{"all_gather_rotated", false},
        Base{"all_reduce_rotated", false}, Base{"all_to_all_rotated", false}}) {
    CAPTURE(base.name);
    const Schedule schedule = algorithm(base.name).build({.nodes = 1 << d, .root = 0});
    REQUIRE(schedule.rounds().size() == d);
    for (int t = 0; t < d; ++t)
      for (const Transfer& transfer : schedule.rounds()[std::size_t(t)]) {
        const int part = schedule.intervals(transfer.what)[0].first % d;
        const int dimension = ((base.highest_first ? d - 1 - t : t) + part) % d;
        CHECK((transfer.from ^ transfer.to) == 1 << dimension);
        for (const Interval& interval : schedule.intervals(transfer.what))
          CHECK((interval.size() == 1 && interval.first % d == part));
      }
  }
}

TEST_CASE("4.1: two nodes have one port, and rotate nothing") {
  for (const auto& [rotated, base] : {std::pair{"broadcast_rotated", "broadcast_hypercube"},
                                      {"reduce_rotated", "reduce_hypercube"},
                                      {"all_gather_rotated", "all_gather_hypercube"},
                                      {"reduce_scatter_rotated", "reduce_scatter_hypercube"},
                                      {"scatter_rotated", "scatter_hypercube"},
                                      {"gather_rotated", "gather_hypercube"},
                                      {"all_reduce_rotated", "all_reduce_doubling"},
                                      {"all_to_all_rotated", "all_to_all_hypercube"}})
    for (const Rank root : {0, 1})
      CHECK(drawn(rotated, {.nodes = 2, .root = root}) == drawn(base, {.nodes = 2, .root = root}));
}

TEST_CASE(
    "4.1: the words are those of the base by d; the rounds and, in all, what a node receives, are its") {
  for (const auto& [rotated, base] : {std::pair{"all_gather_rotated", "all_gather_hypercube"},
                                      {"reduce_scatter_rotated", "reduce_scatter_hypercube"},
                                      {"all_reduce_rotated", "all_reduce_doubling"},
                                      {"all_to_all_rotated", "all_to_all_hypercube"}})
    for (const int d : {1, 2, 3, 4, 5, 6}) {
      const Cost a = algorithm(rotated).cost({.nodes = 1 << d}), b = algorithm(base).cost({.nodes = 1 << d});
      CHECK(a.startups == b.startups);
      CHECK(a.words == doctest::Approx(b.words / d));
      CHECK(a.received == b.received);
    }
}
