#include <algorithm>
#include <doctest/doctest.h>
#include <string>

#include <vnode/error.hpp>
#include <vnode/model/select.hpp>

using namespace vnode;

namespace {

constexpr CostModel costs{100e-9, 0.1e-9, 0.02e-9, 0.02e-9};

Demand demand(Collective collective, int nodes, std::size_t bytes) {
  Demand demand;
  demand.collective = collective;
  demand.parameters.nodes = nodes;
  demand.parameters.segments = 0;
  const Topology squarest(shapes::mesh{}, nodes);
  demand.parameters.extents.assign(squarest.extents().begin(), squarest.extents().end());
  demand.bytes = bytes;
  return demand;
}

std::string chosen(const Demand& wanted, const Shape& shape = shapes::full{}) {
  return std::string(choose(wanted, Topology(shape, wanted.parameters.nodes), costs).algorithm->name);
}

const Candidate& candidate(const std::vector<Candidate>& all, std::string_view name) {
  return *std::ranges::find_if(all, [=](const Candidate& one) { return one.algorithm->name == name; });
}

std::string excluded(const Demand& wanted, std::string_view name, const Shape& shape = shapes::full{}) {
  return candidate(candidates(wanted, Topology(shape, wanted.parameters.nodes), costs), name).excluded;
}

}

TEST_CASE("short messages take the fewest rounds, long ones the fewest words") {
  CHECK(chosen(demand(Collective::all_reduce, 8, 8)) == "all_reduce_one_shot_direct");
  CHECK(chosen(demand(Collective::all_reduce, 8, 1 << 20)) == "all_reduce_two_shot_direct");
  CHECK(chosen(demand(Collective::all_to_all, 8, 8)) == "all_to_all_direct");
}

TEST_CASE(
    "where many nodes take turns on few PUs, those are chosen that take the fewest turns and messages") {
  CostModel crowded = typical_costs;
  crowded.nodes_per_pu = 32;
  const auto taken = [&](Collective collective, int nodes, std::size_t bytes) {
    return choose(demand(collective, nodes, bytes), Topology(shapes::full{}, nodes), crowded).algorithm->name;
  };
  CHECK(taken(Collective::all_reduce, 64, 8) == "all_reduce_central");
  CHECK(taken(Collective::broadcast, 64, 8) == "broadcast_direct");
  CHECK(taken(Collective::gather, 64, 8) == "gather_direct");
  // All nodes' work is that of two cores: it had better be done once.
  CHECK(taken(Collective::all_reduce, 64, 64 << 10) != "all_reduce_one_shot_direct");
}

TEST_CASE("messages that nobody has to wait for are not free") {
  CostModel quick = typical_costs, slow = typical_costs;
  quick.o = 0;
  slow.o = 100e-9;
  const auto taken = [](const CostModel& by) {
    return choose(demand(Collective::all_reduce, 64, 8), Topology(shapes::full{}, 64), by).algorithm->name;
  };
  CHECK(taken(quick) == "all_reduce_one_shot_direct");
  CHECK(taken(slow) == "all_reduce_doubling");
}

TEST_CASE("of candidates that differ by less than costs vary the one with the fewest startups is chosen") {
  for (const std::size_t bytes : {8u, 512u, 4096u, 65536u, 1u << 20}) {
    CAPTURE(bytes);
    const auto all =
        candidates(demand(Collective::all_gather, 8, bytes), Topology(shapes::full{}, 8), typical_costs);
    double least = 1;
    for (const Candidate& one : all)
      if (one.excluded.empty()) least = std::min(least, one.seconds);
    REQUIRE(std::ranges::count_if(all, &Candidate::chosen) == 1);
    const Candidate& chosen = *std::ranges::find_if(all, &Candidate::chosen);
    CHECK(chosen.seconds <= (1 + prediction_noise) * least);
    for (const Candidate& one : all)
      if (one.excluded.empty() && one.seconds <= (1 + prediction_noise) * least)
        CHECK(one.estimate.startups >= chosen.estimate.startups);
  }
  CostModel crowded = typical_costs;
  crowded.nodes_per_pu = 2;
  // Two rounds that are one meeting, and the fewest messages.
  CHECK(choose(demand(Collective::barrier, 4, 8), Topology(shapes::full{}, 4), crowded).algorithm->name ==
        "barrier_central");
}

TEST_CASE("on a topology with links, those are preferred that do not congest them") {
  CHECK(chosen(demand(Collective::all_gather, 8, 1 << 12), shapes::ring{}) ==
        "all_gather_neighbour_exchange");
  CHECK(chosen(demand(Collective::all_gather, 7, 1 << 20), shapes::ring{}) == "all_gather_ring");
  CHECK(chosen(demand(Collective::all_reduce, 2, 8), shapes::ring{}) ==
        "all_reduce_doubling");  // two have one link
  CHECK(excluded(demand(Collective::all_gather, 8, 1 << 12), "all_gather_bruck", shapes::ring{}) ==
        "does not promise load 1 on ring");
  CHECK(chosen(demand(Collective::all_gather, 8, 8), shapes::hypercube{}).starts_with("all_gather_"));
}

TEST_CASE("every candidate is there, with a time or a reason, and the cheapest is the chosen one") {
  const Demand wanted = demand(Collective::all_reduce, 6, 4096);
  const auto all = candidates(wanted, Topology(shapes::full{}, 6), costs);
  std::size_t registered = 0, chosen_ones = 0;
  double least = 1;
  for (const Algorithm& algorithm : algorithms())
    registered += algorithm.collective == Collective::all_reduce;
  CHECK(all.size() == registered);
  for (const Candidate& one : all) {
    CHECK((one.seconds > 0) == one.excluded.empty());
    if (one.excluded.empty()) least = std::min(least, one.seconds);
  }
  for (const Candidate& one : all)
    if (one.chosen) {
      ++chosen_ones;
      CHECK(one.seconds == least);
    }
  CHECK(chosen_ones == 1);
  CHECK(excluded(wanted, "all_reduce_rotated") == "needs a power of two, 6 is not");
}

TEST_CASE("an operator that is not commutative excludes what mixes ranks") {
  Demand wanted = demand(Collective::all_reduce, 8, 1 << 20);
  wanted.parameters.keep_order = true;
  CHECK(excluded(wanted, "all_reduce_ring") ==
        "needs a commutative operator: it does not combine in rank order");
  CHECK(excluded(wanted, "all_reduce_rabenseifner").empty());
}

TEST_CASE("a deterministic call takes only what computes the canonical expression") {
  Demand wanted = demand(Collective::all_reduce, 6, 1 << 20);
  wanted.deterministic = wanted.parameters.keep_order = true;
  CHECK(excluded(wanted, "all_reduce_two_shot_direct").empty());
  wanted.parameters.nodes = 5;
  CHECK(excluded(wanted, "all_reduce_doubling") == "does not compute the canonical expression on 5 nodes");
}

TEST_CASE("what is rounded once comes first, unless it takes more than twice as long") {
  int others = 0, once = 0, too_long = 0;
  for (const Collective collective : {Collective::reduce, Collective::reduce_scatter, Collective::all_reduce,
                                      Collective::scan, Collective::exclusive_scan})
    for (const int nodes : {2, 3, 8, 16})
      for (std::size_t bytes = 8; bytes <= 1 << 22; bytes *= 2) {
        Demand wanted = demand(collective, nodes, bytes);
        const Topology full(shapes::full{}, nodes);
        const Candidate cheapest = choose(wanted, full, costs);
        CHECK_FALSE(wanted.at_once);
        wanted.at_once = true;
        const Candidate taken = choose(wanted, full, costs);
        CAPTURE(taken.algorithm->name);
        double least = 1;  // of those that combine at once
        for (const Candidate& one : candidates(wanted, full, costs))
          if (one.algorithm->at_once && one.excluded.empty()) least = std::min(least, one.seconds);
        if (nodes > 2 && least <= 2 * cheapest.seconds) {
          CHECK(taken.algorithm->at_once);
          CHECK(taken.seconds <= (1 + prediction_noise) * least);
          others += taken.algorithm != cheapest.algorithm;
          ++once;
        } else {
          CHECK(taken.algorithm == cheapest.algorithm);
          too_long += nodes > 2;
        }
      }
  CHECK(others > 5);
  CHECK(once > 50);
  CHECK(too_long > 5);
  Demand wanted = demand(Collective::all_reduce, 8, 1 << 20);
  wanted.at_once = true;
  CHECK(chosen(wanted) == "all_reduce_two_shot_direct");
  CHECK(chosen(wanted, shapes::ring{}) == chosen(demand(Collective::all_reduce, 8, 1 << 20), shapes::ring{}));
  wanted.algorithm = "all_reduce_ring";
  CHECK(chosen(wanted) == "all_reduce_ring");
}

TEST_CASE("counts that vary exclude what carries parts for others") {
  Demand wanted = demand(Collective::gather, 8, 0);
  wanted.varying = true;
  CHECK(excluded(wanted, "gather_binomial") == "carries parts whose sizes only other nodes know");
  CHECK(excluded(wanted, "gather_direct").empty());
}

TEST_CASE("pipelines are cut into more pieces the longer the message is") {
  const auto segments = [](std::size_t bytes) {
    const Demand wanted = demand(Collective::all_reduce, 8, bytes);
    return candidate(candidates(wanted, Topology(shapes::full{}, 8), costs), "all_reduce_two_tree").segments;
  };
  CHECK(segments(8) == 1);
  CHECK(segments(64 << 10) > 1);
  CHECK(segments(16 << 20) > segments(64 << 10));
}

TEST_CASE("results that are written back save a round, once they are too long for lines") {
  const auto written_back = [](std::size_t bytes) {
    const Demand wanted = demand(Collective::all_reduce, 2, bytes);
    return candidate(candidates(wanted, Topology(shapes::full{}, 2), costs), "all_reduce_two_shot_direct")
               .estimate.written > 0;
  };
  CHECK_FALSE(written_back(1024));
  CHECK(written_back(4096));
}

TEST_CASE("results of a scan by slices go on from each other, unless each is rounded once or is a tree") {
  Demand wanted = demand(Collective::scan, 8, 1 << 20);
  const auto combined = [&] {
    return candidate(candidates(wanted, Topology(shapes::full{}, 8), costs), "scan_splitting_direct")
        .estimate.combined;
  };
  CHECK(combined() == doctest::Approx(7.0 / 8));
  CHECK(chosen(wanted) == "scan_splitting_direct");
  wanted.at_once = true;
  CHECK(combined() == doctest::Approx(7.0 / 2));
  wanted.at_once = false;
  wanted.deterministic = true;
  CHECK(combined() == doctest::Approx(7.0 / 2));
  CHECK(why_not(algorithm("scan_splitting_direct"), {.nodes = 65}) == "needs 64 nodes at most, not 65");
}

TEST_CASE("what is asked for by name is taken or refused with the reason") {
  Demand wanted = demand(Collective::broadcast, 6, 100);
  wanted.algorithm = "broadcast_linear";
  CHECK(chosen(wanted) == "broadcast_linear");
  wanted.algorithm = "broadcast_hypercube";
  CHECK_THROWS_WITH_AS(chosen(wanted), "broadcast_hypercube cannot run here: needs a power of two, 6 is not",
                       UsageError);
  wanted.algorithm = "reduce_linear";
  CHECK_THROWS_WITH_AS(chosen(wanted), "reduce_linear is an algorithm for reduce, not for broadcast",
                       UsageError);
}

TEST_CASE("measured times come before predictions, and only what was measured can be chosen then") {
  Demand wanted = demand(Collective::all_reduce, 8, 8);
  REQUIRE(chosen(wanted) == "all_reduce_one_shot_direct");
  const std::vector<TunedPoint> points{
      {Collective::all_reduce, 8, false, 8, {{"all_reduce_ring", 1e-6}, {"all_reduce_rabenseifner", 2e-6}}}};
  wanted.tuned = points;
  CHECK(chosen(wanted) == "all_reduce_ring");
  const auto all = candidates(wanted, Topology(shapes::full{}, 8), costs);
  CHECK(candidate(all, "all_reduce_ring").seconds == 1e-6);
  CHECK(candidate(all, "all_reduce_ring").measured);
  CHECK_FALSE(candidate(all, "all_reduce_one_shot_direct").measured);
  CHECK(candidate(all, "all_reduce_one_shot_direct").seconds < 1e-6);
  wanted.parameters.keep_order = true;  // which the ring cannot
  CHECK(chosen(wanted) == "all_reduce_rabenseifner");
  wanted.parameters.nodes = 9;  // which were not measured
  CHECK(chosen(wanted) == "all_reduce_one_shot_direct");
}
