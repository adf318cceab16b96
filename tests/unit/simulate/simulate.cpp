#include <cmath>
#include <doctest/doctest.h>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/lab/simulate.hpp>

#include "costs.hpp"

using namespace vnode;

namespace {

const Interconnect full4(Topology(shapes::full{}, 4));
const Interconnect line4(Topology(shapes::array{}, 4));

std::vector<HeldBy> reasons(const Simulation& simulation) {
  std::vector<HeldBy> list;
  for (const CriticalStep& message : simulation.critical_path) list.push_back(message.held_by);
  return list;
}

}  // namespace

TEST_CASE("one message takes t_s + n t_w, over one link or three") {
  const Schedule schedule = schedule_from_text("nodes 4 blocks 4\n1: 0>3[0-2]");
  for (const Interconnect& interconnect : {full4, line4}) {
    const Simulation simulation = play(schedule, interconnect);
    CHECK(simulation.seconds == 8 + 3);
    CHECK(simulation.timeline.messages == std::vector<TimedMessage>{{0, 0, 3, 3, 0, 8, 11}});
    CHECK(simulation.nodes[0].send == 11);
    CHECK(simulation.nodes[3].receive == 11);
    CHECK(simulation.nodes[3].send == 0);
    CHECK(simulation.peak == 1);
    for (const LinkUse& link : simulation.links) CHECK(link.seconds == 3);
  }
  CHECK(play(schedule, line4).links.size() == 3);
}

TEST_CASE("a message waits for its data, whatever the rounds, and reads the state before its round") {
  // 2>3 needs nothing that arrives: it starts at once, two rounds early.
  const Schedule chain = schedule_from_text("nodes 4 blocks 2\n1: 0>1[0]\n2: 1>2[0]\n3: 2>3[1]");
  const Simulation simulation = play(chain, full4);
  CHECK(simulation.seconds == 18);
  CHECK(simulation.timeline.messages[1] == TimedMessage{2, 2, 3, 1, 0, 8, 9});
  CHECK(simulation.peak == 2);
  // In an exchange nobody waits for what the round itself brings.
  CHECK(play(schedule_from_text("nodes 2 blocks 1\n1: 0>1 1>0"), Topology(shapes::full{}, 2)).seconds == 9);
}

TEST_CASE("a message waits for all versions it reads, and a place that is read is free at once") {
  const Schedule two = schedule_from_text("nodes 4 blocks 4\n1: 0>2[0] 1>3[1-3]\n2: 3>2[1]\n3: 2>1[0-1]");
  CHECK(play(two, full4).seconds == 11 + 9 + 10);
  // 0 sends its old value while the new one arrives: no write-after-read.
  const Schedule over = schedule_from_text("nodes 4 blocks 4\n1: 0>1[0-3] 2>0[0-3]");
  CHECK(play(over, full4).seconds == 12);
}

TEST_CASE("single ports serve their messages one by one, in the order of the schedule") {
  const Schedule fan = schedule_from_text("nodes 4 blocks 4\n1: 0>3[0-3] 0>1[0] 2>1[1]");
  const Simulation simulation = play(fan, full4);
  CHECK(simulation.timeline.messages[0].end == 12);
  CHECK(simulation.timeline.messages[1] == TimedMessage{0, 0, 1, 1, 12, 20, 21});
  CHECK(simulation.timeline.messages[2] == TimedMessage{0, 2, 1, 1, 21, 29, 30});
  CHECK(simulation.seconds == 30);
  CHECK(reasons(simulation) == std::vector{HeldBy::none, HeldBy::sender_port, HeldBy::receiver_port});
}

TEST_CASE("with all ports only messages of one link's port wait for each other") {
  const Schedule fan = schedule_from_text("nodes 4 blocks 4\n1: 0>3[0-3] 0>1[0] 2>1[1]");
  SimulationOptions options{.costs = exact, .ports = Ports::all};
  CHECK(play(fan, full4, options).seconds == 12);
  // On an array 0 has one port, and 1 one towards 0 and one towards 2.
  const Simulation line = play(fan, line4, options);
  CHECK(line.seconds == 12 + 9);
  CHECK(reasons(line) == std::vector{HeldBy::none, HeldBy::sender_port});
}

TEST_CASE("of two messages that meet on a link one waits, after its start-up: t_s + 2 n t_w") {
  const Schedule meeting = schedule_from_text("nodes 4 blocks 8\n1: 0>2[0-3] 1>3[4-7]");
  const Simulation simulation = play(meeting, line4);
  CHECK(simulation.seconds == 8 + 2 * 4);
  CHECK(simulation.timeline.messages[1] == TimedMessage{0, 1, 3, 4, 0, 12, 16});
  CHECK(reasons(simulation) == std::vector{HeldBy::none, HeldBy::link});
  // Ways in opposite directions do not meet, unless links are half duplex.
  const Schedule opposite = schedule_from_text("nodes 4 blocks 8\n1: 0>2[0-3] 3>1[4-7]");
  CHECK(play(opposite, line4).seconds == 12);
  CHECK(play(opposite, Interconnect(Topology(shapes::array{}, 4), Routing::shortest, Duplex::half)).seconds ==
        16);
}

TEST_CASE("who asks first has the links first, and keeps all of them: head of line") {
  // 1>2 asks at 8, 0>3 at 8, too, but behind it: it takes no link before it has all. 2>3 asks at 8 and is
  // third.
  const Schedule blocked = schedule_from_text("nodes 4 blocks 8\n1: 1>2[0-7] 0>3[0-3] 2>1[0]\n2: 2>3[4]");
  const Simulation simulation = play(blocked, line4);
  const std::vector<TimedMessage>& messages = simulation.timeline.messages;
  CHECK(messages[0] == TimedMessage{0, 0, 3, 4, 0, 16, 20});
  CHECK(messages[1] == TimedMessage{0, 1, 2, 8, 0, 8, 16});
  // The receiver's port of 3 is taken until 20.
  CHECK(messages[3] == TimedMessage{1, 2, 3, 1, 20, 28, 29});
}

TEST_CASE("half duplex: a single port sends or receives") {
  const Interconnect half(Topology(shapes::full{}, 2), Routing::shortest, Duplex::half);
  const Simulation exchange = play(schedule_from_text("nodes 2 blocks 1\n1: 0>1 1>0"), half);
  CHECK(exchange.seconds == 18);
  CHECK(exchange.links == std::vector<LinkUse>{{0, 2}});
  // With a port for every link the start-ups overlap, but not on the one link: its port serves one at a time.
  CHECK(play(schedule_from_text("nodes 2 blocks 1\n1: 0>1 1>0"), half, {.costs = exact, .ports = Ports::all})
            .seconds == 18);
}

TEST_CASE("stored and forwarded, a message takes t_s + l n t_w over l links, one after the other") {
  const SimulationOptions options{.costs = exact, .switching = Switching::store_and_forward};
  const Schedule far = schedule_from_text("nodes 4 blocks 4\n1: 0>3[0-3]");
  CHECK(play(far, line4, options).seconds == 8 + 3 * 4);
  // 0's port is free when the first link is passed; the second message then follows behind.
  const Schedule two = schedule_from_text("nodes 4 blocks 4\n1: 0>3[0-3] 0>2[0]");
  const Simulation simulation = play(two, line4, options);
  CHECK(simulation.timeline.messages[1] == TimedMessage{0, 0, 2, 1, 12, 20, 22});
  CHECK(simulation.links[0].seconds == 5);
}

TEST_CASE("a hop costs for each link, in both ways of switching") {
  const Schedule far = schedule_from_text("nodes 4 blocks 4\n1: 0>3[0-3]");
  SimulationOptions options{.costs = exact, .hop = 0.5};
  CHECK(play(far, line4, options).seconds == 8 + 4 + 1.5);
  options.switching = Switching::store_and_forward;
  CHECK(play(far, line4, options).seconds == 8 + 3 * 4.5);
}

TEST_CASE("combining takes t_op a byte, when all operands are there") {
  const SimulationOptions options{.costs = exact, .t_op = 0.5, .ports = Ports::all};
  const Schedule one = schedule_from_text("nodes 4 blocks 4\n1: 0>+1[0-3]\n2: 1>2[0-3]");
  CHECK(play(one, full4, options).seconds == 12 + 2 + 12);
  // Three operands are combined together; a message of the next round waits for that.
  const Schedule three =
      schedule_from_text("nodes 4 blocks 4\n1: 1>+0[0-3] 2>+0[0-3] 3>+0[0-3]\n2: 0>1[0-3]");
  CHECK(play(three, full4, options).seconds == 12 + 6 + 12);
  // What is only combined at the end counts, too.
  CHECK(play(schedule_from_text("nodes 2 blocks 4\n1: 0>+1[0-3]"), Topology(shapes::full{}, 2), options)
            .seconds == 14);
}

TEST_CASE("both ends work on a long message whose sender does nothing else") {
  const SimulationOptions options{.costs = exact, .shared_from = 4, .t_op = 0.5};
  const auto seconds = [&](const char* schedule) {
    return play(schedule_from_text(schedule), full4, options).seconds;
  };
  CHECK(seconds("nodes 4 blocks 4\n1: 0>1[0-3]") == 8 + 2);
  CHECK(seconds("nodes 4 blocks 4\n1: 0>1[0-2]") == 8 + 3);  // too short
  CHECK(seconds("nodes 4 blocks 4\n1: 0>+1[0-3]") == 8 + 2 + 1);
  CHECK(seconds("nodes 4 blocks 4\n1: 0>1[0-3] 2>0[0-2]") == 8 + 4);              // the sender receives
  CHECK(seconds("nodes 4 blocks 4\n1: 0>1[0-3]\n2: 1>2[0-3]") == 2 * (8 + 2));    // in other rounds
  CHECK(seconds("nodes 4 blocks 4\n1: 1>+0[0-3] 2>+0[0-3]") == 2 * (8 + 4) + 4);  // operands of one combine
  CHECK(seconds("nodes 4 blocks 4\n1: 0>1[0-3] 0>2[0-3]") == 2 * (8 + 4));        // it sends two
}

TEST_CASE("a signal waits for all that its sender knows") {
  const Schedule barrier = schedule_from_text("nodes 4 blocks 0\n1: 0>1 2>3\n2: 1>3\n3: 3>0");
  const Simulation simulation = play(barrier, full4);
  CHECK(simulation.seconds == 24);
  // Between two messages their node puts together what it knows.
  CHECK(simulation.critical_path.size() == 5);
  CHECK(simulation.critical_path[1].combines());
}

TEST_CASE("LogGP: o, the bytes, L and o again; ports are taken for max(o, g) and the bytes") {
  SimulationOptions options{.costs = LogGP{.L = 16, .o = 2, .g = 5, .G = 1}};
  const Schedule one = schedule_from_text("nodes 4 blocks 4\n1: 0>1[0-3]");
  CHECK(play(one, full4, options).seconds == 2 + 3 + 16 + 2);
  const Schedule two = schedule_from_text("nodes 4 blocks 4\n1: 0>1[0-3] 0>2[0]");
  CHECK(play(two, full4, options).seconds == 5 + 3 + (2 + 16 + 2));
  options.costs = LogGP{.L = 16, .o = 2, .g = 0, .G = 1};
  CHECK(play(two, full4, options).seconds == 2 + 3 + (2 + 16 + 2));
  // Nothing has no bytes after its first.
  CHECK(play(schedule_from_text("nodes 2 blocks 0\n1: 0>1"), Topology(shapes::full{}, 2), options).seconds ==
        20);
}

TEST_CASE("every pair may have costs of its own") {
  SimulationOptions options;
  options.pair_costs = [](Rank from, Rank) { return from < 2 ? Hockney{1, 1} : Hockney{10, 2}; };
  const Schedule schedule = schedule_from_text("nodes 4 blocks 1\n1: 0>1 2>3");
  const Simulation simulation = play(schedule, full4, options);
  CHECK(end(simulation, 0) == 2);
  CHECK(end(simulation, 1) == 12);
}

TEST_CASE("noise lengthens messages, by its seed and their numbers alone") {
  const Schedule schedule =
      schedule_from_text("nodes 4 blocks 4\n1: 0>1[0] 2>3[2]\n2: 0>2[0] 1>3[0]\n3: 3>0[0]");
  SimulationOptions options{.costs = exact, .noise = 0.25, .seed = 7};
  const Simulation once = play(schedule, full4, options), again = play(schedule, full4, options);
  CHECK(once.timeline == again.timeline);
  CHECK(once.seconds > play(schedule, full4).seconds);
  options.seed = 8;
  CHECK(play(schedule, full4, options).seconds != once.seconds);
  // The same message, with others before it in time or not.
  const Schedule fewer = schedule_from_text("nodes 4 blocks 4\n1: 0>1[0] 3>2[2]\n2: 0>2[0]");
  options.seed = 7;
  CHECK(play(fewer, full4, options).timeline.messages[0].end == once.timeline.messages[0].end);
}

TEST_CASE("noise has mean 1 + noise") {
  std::string text = "nodes 2 blocks 1\n";
  const int rounds = 4000;
  for (int round = 1; round <= rounds; ++round) text += std::to_string(round) + ": 0>1\n";
  const Simulation simulation =
      play(schedule_from_text(text), Topology(shapes::full{}, 2), {.costs = exact, .noise = 0.5});
  CHECK(simulation.seconds / (9.0 * rounds) == doctest::Approx(1.5).epsilon(0.02));
}

TEST_CASE("many cases are simulated in parallel, and the results are in their order") {
  std::vector<SimulationCase> cases;
  for (int blocks = 1; blocks <= 40; ++blocks)
    cases.push_back({[] { return schedule_from_text("nodes 4 blocks 1\n1: 0>1"); },
                     {static_cast<std::size_t>(blocks), 1},
                     full4,
                     {.costs = exact, .timeline = false}});
  std::vector<std::size_t> told;
  const std::vector<Simulation> results = simulate(cases, [&](std::size_t done) { told.push_back(done); });
  REQUIRE(results.size() == 40);
  for (std::size_t i = 0; i < results.size(); ++i) {
    CHECK(results[i].seconds == 8.0 + static_cast<double>(i + 1));
    CHECK(results[i].timeline.messages.empty());
    CHECK(results[i].critical_path.size() == 1);
  }
  REQUIRE(told.size() == 40);
  for (std::size_t i = 0; i < told.size(); ++i) CHECK(told[i] == i + 1);
}

TEST_CASE("what cannot be simulated is refused with the reason") {
  const Schedule good = schedule_from_text("nodes 4 blocks 1\n1: 0>1");
  const auto refusal = [&](const Schedule& schedule, const Interconnect& interconnect,
                           SimulationOptions options) {
    try {
      simulate(schedule, {1, 1}, interconnect, options);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal(good, Topology(shapes::full{}, 5), {}) == "a schedule of 4 nodes cannot run on 5 nodes");
  Schedule to_itself(4, 1);
  to_itself.next_round().push_back({0, 1, Blocks::whole});
  to_itself.next_round().push_back({2, 2, Blocks::whole});
  CHECK(refusal(to_itself, full4, {}) == "round 2 of the schedule: node 2 sends to itself");
  CHECK(refusal(good, full4, {.costs = Hockney{-1, 0}}) ==
        "t_s is -1 in a simulation: it is at least 0 and finite");
  CHECK(refusal(good, full4, {.noise = std::nan("")}) ==
        "the noise is nan in a simulation: it is at least 0 and finite");
  Schedule unequal(4, 4);
  const Blocks two = unequal.interval(0, 2), one = unequal.block(0);
  unequal.next_round().push_back({0, 1, two, one, Effect::replace});
  CHECK(refusal(unequal, full4, {}) == "round 1 of the schedule: node 0 sends node 1 2 blocks into 1");
  CHECK(refusal(good, full4,
                {.switching = Switching::store_and_forward,
                 .memory = MemoryBanks{{1}, {}, [](Rank) { return 0; }, [](const PortBuffer&) { return 0; }}})
            .starts_with("memory banks are simulated with cut-through"));
}
