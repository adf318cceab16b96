// Messages between machines, which take turns on the one link that each has.
#include <doctest/doctest.h>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/lab/step_synchronous.hpp>

#include "costs.hpp"

using namespace vnode;

namespace {

Interconnect machines(int count, int nodes, Duplex duplex = Duplex::full) {
  return {Topology(shapes::full{}, nodes), Routing::shortest, duplex, count};
}

}  // namespace

TEST_CASE("what leaves a machine at the same time takes turns, what stays inside does not") {
  const Schedule crossing = schedule_from_text("nodes 4 blocks 4\n1: 0>2 1>3");
  const Simulation simulation = play(crossing, machines(2, 4));
  CHECK(simulation.seconds == 8 + 4 + 4);
  CHECK(simulation.links == std::vector<LinkUse>{{0, 8}, {3, 8}});  // out of machine 0, into machine 1
  CHECK(play(crossing, machines(1, 4)).seconds == 8 + 4);
  CHECK(play(schedule_from_text("nodes 4 blocks 4\n1: 0>1 2>3"), machines(2, 4)).seconds == 8 + 4);
  CHECK(play(schedule_from_text("nodes 4 blocks 4\n1: 0>1 2>3"), machines(2, 4)).links.empty());
}

TEST_CASE("both directions of a machine's link are busy at once, unless it is half-duplex") {
  const Schedule exchange = schedule_from_text("nodes 4 blocks 4\n1: 0>2 3>1");
  CHECK(play(exchange, machines(2, 4)).seconds == 8 + 4);
  CHECK(play(exchange, machines(2, 4, Duplex::half)).seconds == 8 + 4 + 4);
}

TEST_CASE("all ports of a node are one to each node of its machine, and one to the network") {
  const SimulationOptions all{.costs = exact, .ports = Ports::all};
  const Schedule inside = schedule_from_text("nodes 6 blocks 4\n1: 0>1 0>2");
  CHECK(play(inside, machines(2, 6), all).seconds == 8 + 4);
  CHECK(play(inside, machines(2, 6)).seconds == 2 * (8 + 4));
  const Schedule outside = schedule_from_text("nodes 6 blocks 4\n1: 0>3 0>1 1>4");
  CHECK(play(outside, machines(2, 6), all).seconds == 8 + 4 + 4);
  const Schedule twice = schedule_from_text("nodes 6 blocks 4\n1: 0>3 0>4");
  CHECK(play(twice, machines(2, 6), all).seconds == 2 * (8 + 4));
}

TEST_CASE("with store-and-forward a message has its machine's link, then the other's") {
  const SimulationOptions stored{.costs = exact, .switching = Switching::store_and_forward};
  CHECK(play(schedule_from_text("nodes 4 blocks 4\n1: 0>2"), machines(2, 4), stored).seconds == 8 + 4 + 4);
  CHECK(play(schedule_from_text("nodes 4 blocks 4\n1: 0>1"), machines(2, 4), stored).seconds == 8 + 4);
}

TEST_CASE("round by round the busiest link of a machine says how long the bytes take") {
  const Schedule schedule = schedule_from_text("nodes 6 blocks 4\n1: 0>3 1>4 2>5\n2: 0>1[0]");
  const StepSynchronous steps = step_synchronous(schedule, {4, 4}, machines(2, 6), exact, 0);
  CHECK(steps.uncongested == (8 + 4) + (8 + 1));
  CHECK(steps.scaled == (8 + 3 * 4) + (8 + 1));
  CHECK(steps.load == 3);
  REQUIRE(steps.links.size() == 2);
  CHECK(steps.links[0].directed_link == 0);
  CHECK(steps.links[0].bytes == 12);
  CHECK(steps.links[1].directed_link == 3);
}

TEST_CASE("nodes that cannot be shared out equally among machines are refused, and memory banks there") {
  const Schedule schedule = schedule_from_text("nodes 4 blocks 4\n1: 0>2");
  for (const int count : {3, 0, -1, 8}) CHECK_THROWS_AS(play(schedule, machines(count, 4)), UsageError);
  CHECK_THROWS_WITH_AS(play(schedule, machines(3, 4)), "4 nodes cannot be on 3 machines, as many on each",
                       UsageError);
  SimulationOptions banks;
  banks.memory = MemoryBanks{
      .bandwidth = {1}, .home = [](Rank) { return 0; }, .bank = [](const PortBuffer&) { return 0; }};
  CHECK_THROWS_WITH_AS(play(schedule, machines(2, 4), banks),
                       "memory banks are simulated on one machine only: give machines, or banks", UsageError);
}
