#include <doctest/doctest.h>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/lab/simulate.hpp>
#include <vnode/lab/step_synchronous.hpp>
#include <vnode/model/algorithms.hpp>

using namespace vnode;

TEST_CASE("a round takes t_s and its largest message, or what crosses its busiest link") {
  const Schedule schedule =
      schedule_from_text("nodes 4 blocks 4\n1: 0>3[0-2] 1>2[0] 3>0[3]\n2: 1>0[0-1]\n3:");
  const StepSynchronous time =
      step_synchronous(schedule, {8, 4}, Topology(shapes::array{}, 4), Hockney{100, 1});
  CHECK(time.uncongested == 300 + 6 + 4);
  CHECK(time.scaled == 300 + 8 + 4);
  CHECK(time.load == 2);
  REQUIRE(time.rounds.size() == 3);
  CHECK(time.rounds[0].load == RoundLoad{2, 4, 3});
  CHECK(time.rounds[0].busiest_link == 2);
  CHECK(time.rounds[0].uncongested == 106);
  CHECK(time.rounds[0].scaled == 108);
  CHECK(time.rounds[2].busiest_link == -1);
  REQUIRE(time.links.size() == 6);
  CHECK(time.links[1].directed_link == 1);
  CHECK(time.links[1].messages == 2);
  CHECK(time.links[1].bytes == 2 + 4);
  CHECK(time.links[1].load == 1);
  CHECK(time.links[2].load == 2);
}

TEST_CASE("with half-duplex links both directions are one") {
  const Schedule exchange = schedule_from_text("nodes 2 blocks 1\n1: 0>1 1>0");
  const Topology pair(shapes::array{}, 2);
  const StepSynchronous time =
      step_synchronous(exchange, {4, 1}, {pair, Routing::shortest, Duplex::half}, Hockney{1, 1});
  CHECK(time.uncongested == 5);
  CHECK(time.scaled == 9);
  REQUIRE(time.links.size() == 1);
  CHECK(time.links[0].messages == 2);
}

TEST_CASE("combining counts for the node that combines most") {
  const Schedule reduce = schedule_from_text("nodes 3 blocks 1\n1: 1>+0 2>+0");
  CHECK(step_synchronous(reduce, {4, 1}, Topology(shapes::full{}, 3), Hockney{1, 1}, 0.5).scaled ==
        1 + 4 + 4);
}

TEST_CASE("what is combined is what the formulas say, in every algorithm") {
  constexpr Hockney nothing{0, 0};
  for (const Algorithm& algorithm : algorithms())
    for (int nodes = 1; nodes <= 17; ++nodes) {
      Parameters parameters{.nodes = nodes};
      if (nodes % 4 == 0) parameters.extents = {4, nodes / 4};
      if (algorithm.segments) parameters.segments = 3;
      parameters.shift = nodes / 2;
      if (why_not(algorithm, parameters)) continue;
      CAPTURE(algorithm.name);
      CAPTURE(nodes);
      const Schedule schedule = algorithm.build(parameters);
      const Contract wanted = contract(algorithm.collective, parameters, schedule.blocks());
      const Volume volume = volume_of(wanted, static_cast<std::size_t>(wanted.message_blocks));
      const double formula = algorithm.cost(parameters).combined * wanted.message_blocks;
      const Topology full(shapes::full{}, nodes);
      CHECK(step_synchronous(schedule, volume, full, nothing, 1).scaled == doctest::Approx(formula));
      // A node combines nothing twice, and a round's nodes do so at the same time.
      const double simulated =
          simulate(schedule, volume, full, {.costs = nothing, .t_op = 1, .ports = Ports::all}).seconds;
      CHECK(simulated <= formula + 1e-9);
      if (schedule.rounds().size() == 1) CHECK(simulated == doctest::Approx(formula));
    }
}

TEST_CASE("barriers cost start-ups") {
  const Schedule barrier = algorithm("barrier_dissemination").build({.nodes = 8});
  CHECK(step_synchronous(barrier, {0, 0}, Topology(shapes::hypercube{}, 8), Hockney{5, 1}).scaled == 15);
}

TEST_CASE("the loads are those that link_loads() finds, for every algorithm on every family") {
  for (const Algorithm& algorithm : algorithms())
    for (const Family family : families()) {
      Parameters parameters{.nodes = 8};
      parameters.extents = {2, 4};
      parameters.shift = 3;
      if (why_not(algorithm, parameters)) continue;
      const Schedule schedule = algorithm.build(parameters);
      const int message_blocks = contract(algorithm.collective, parameters, schedule.blocks()).message_blocks;
      const Topology topology(Shape(family), 8);
      const auto loads = link_loads(schedule, topology, topology.default_routing());
      const StepSynchronous time =
          step_synchronous(schedule, {1 << 20, message_blocks}, topology, Hockney{0, 1});
      REQUIRE(time.rounds.size() == loads.size());
      for (std::size_t round = 0; round < loads.size(); ++round)
        CHECK(time.rounds[round].load == loads[round]);
      CHECK(time.load == greatest_load(loads));
      CHECK(time.scaled == doctest::Approx((1 << 20) * scaled_words(loads, message_blocks)));
      CHECK(time.uncongested == doctest::Approx((1 << 20) * algorithm.cost(parameters).words));
    }
}

TEST_CASE("another number of nodes is refused") {
  CHECK_THROWS_AS(step_synchronous(Schedule(4, 1), {1, 1}, Topology(shapes::ring{}, 5), Hockney{}),
                  UsageError);
}
