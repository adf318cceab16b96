#include "draw/holdings.hpp"

#include <doctest/doctest.h>

#include <vnode/error.hpp>
#include <vnode/lab/draw.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/model/algorithms.hpp>

using namespace vnode;
using Texts = std::vector<std::vector<std::string>>;

namespace {

Texts holdings_of(const char* name, Parameters parameters) {
  const Algorithm& algorithm = vnode::algorithm(name);
  const Schedule schedule = algorithm.build(parameters);
  return holdings(schedule, contract(algorithm.collective, parameters, schedule.blocks()));
}

}  // namespace

TEST_CASE("a node holds what it still sends or must have: figures 4.11, 4.13, 4.15 and 4.20") {
  CHECK(holdings_of("all_gather_hypercube", {.nodes = 4}) ==
        Texts{{"0", "1", "2", "3"}, {"0-1", "0-1", "2-3", "2-3"}, {"0-3", "0-3", "0-3", "0-3"}});
  // The totals that go on are in brackets where they differ from the results.
  CHECK(holdings_of("scan_hypercube", {.nodes = 4}) ==
        Texts{{"0", "1", "2", "3"}, {"0 (0-1)", "0-1", "2", "2-3"}, {"0", "0-1", "0-2", "0-3"}});
  CHECK(holdings_of("scatter_hypercube", {.nodes = 4}) ==
        Texts{{"0-3", "", "", ""}, {"0-1", "", "2-3", ""}, {"0", "1", "2", "3"}});
  CHECK(holdings_of("all_to_all_hypercube", {.nodes = 4}) ==
        Texts{{"{0,0-3}", "{1,0-3}", "{2,0-3}", "{3,0-3}"},
              {"{0-1,0 2}", "{0-1,1 3}", "{2-3,0 2}", "{2-3,1 3}"},
              {"{0-3,0}", "{0-3,1}", "{0-3,2}", "{0-3,3}"}});
  CHECK(holdings_of("reduce_scatter_ring", {.nodes = 2}).back() == Texts::value_type{"0:0-1", "1:0-1"});
  CHECK(holdings_of("barrier_dissemination", {.nodes = 2}) == Texts{{"0", "1"}, {"0-1", "0-1"}});
}

TEST_CASE("what a node no longer needs it is not said to hold") {
  const Schedule schedule = schedule_from_text("nodes 3 blocks 3\n1: 0>1[2]\n2: 1>2[2]\n");
  const Contract scatter = scatter_contract(3, 3, 0);
  CHECK(holdings(schedule, scatter) == Texts{{"0,2", "", ""}, {"0", "2", ""}, {"0", "", "2"}});
  CHECK_THROWS_AS(holdings(schedule, scatter_contract(4, 4, 0)), UsageError);
}

TEST_CASE("blocks have numbers, and those of an all_to_all a source and a destination") {
  const Schedule direct = algorithm("all_to_all_direct").build({.nodes = 3});
  const Contract contract = all_to_all_contract(3, 9);
  const BlockNames numbers(direct, nullptr), pairs(direct, &contract);
  const std::vector<Interval> some{{1, 2}, {3, 5}, {7, 8}};
  CHECK(numbers.text(some, 20) == "1,3-4,7");
  CHECK(numbers.text(some, 4) == "1,3-4,…");
  CHECK(pairs.text(some, 20) == "{1,0-1} {0 2,1}");
  CHECK(!numbers.pairs());
  CHECK(pairs.pairs());
}

TEST_CASE("only a scan's running totals have no name on their arrows") {
  const auto picture = [](const char* name, int round) {
    const Parameters parameters{.nodes = 4};
    const Algorithm& of = algorithm(name);
    const Schedule schedule = of.build(parameters);
    return draw(RoundsPicture{.schedule = schedule,
                              .topology = Topology(shapes::hypercube{}, 4),
                              .round = round,
                              .contract = contract(of.collective, parameters, schedule.blocks())},
                Pen::text);
  };
  CHECK(picture("scan_hypercube", 0).find("blocks") == std::string::npos);
  CHECK(picture("scatter_hypercube", 0).find("blocks 2-3") != std::string::npos);
}

TEST_CASE("a picture with states has a panel more, and needs to know what the schedule is for") {
  RoundsPicture picture{.schedule = algorithm("broadcast_binomial").build({.nodes = 4}),
                        .topology = Topology(shapes::hypercube{}, 4)};
  picture.states = true;
  CHECK_THROWS_AS(draw(picture, Pen::svg), UsageError);
  picture.contract = broadcast_contract(4, 1, 0);
  CHECK(draw(picture, Pen::svg).find("in the end") != std::string::npos);
  CHECK(draw(picture, Pen::text).find("     3 holds 0\n") != std::string::npos);
  picture.panels = Panels::one;
  CHECK_THROWS_AS(draw(picture, Pen::svg), UsageError);
  picture.panels.reset();
  picture.binary = true;
  CHECK(draw(picture, Pen::svg).find(">10<") != std::string::npos);
}
