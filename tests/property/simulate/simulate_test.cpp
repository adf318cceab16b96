#include <algorithm>
#include <bit>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <oneapi/tbb/parallel_for.h>
#include <set>
#include <string>
#include <vector>

#include <vnode/lab/notation.hpp>
#include <vnode/lab/simulate.hpp>
#include <vnode/lab/step_synchronous.hpp>
#include <vnode/lab/sweep.hpp>
#include <vnode/lab/textbook.hpp>
#include <vnode/model/algorithms.hpp>

#include "brief.hpp"
#include "deviation.hpp"
#include "tightness.hpp"

using namespace vnode;

namespace {

// Sums of these are exact, so that times can be compared for equality. A block has 4 bytes.
constexpr Hockney costs{8, 1};
constexpr int block_bytes = 4;

struct Case {
  const Algorithm* algorithm;
  Parameters parameters;
};

// Some of the ways to call every algorithm on every number of nodes up to `most`, or 24.
std::vector<Case> cases(int most, std::size_t ways_each) {
  std::vector<Case> all;
  for (int nodes = vnode_test::brief() ? std::min(most, 24) : most; nodes >= 1; --nodes)
    for (const Algorithm& algorithm : algorithms()) {
      const std::vector<Parameters> ways = every_way(algorithm, nodes);
      for (std::size_t i = 0; i < ways.size(); i += 1 + ways.size() / ways_each)
        all.push_back({&algorithm, ways[i]});
    }
  return all;
}

Volume volume_of(const Case& one, const Schedule& schedule) {
  const vnode::Contract wanted = contract(one.algorithm->collective, one.parameters, schedule.blocks());
  return vnode::volume_of(wanted, static_cast<std::size_t>(wanted.message_blocks) * block_bytes);
}

std::string spelled(const Case& one, const Interconnect& interconnect) {
  return fmt::format("{}, p = {}, root {}, shift {}, {} segments, {} by {}: ", one.algorithm->name,
                     one.parameters.nodes, one.parameters.root, one.parameters.shift, one.parameters.segments,
                     interconnect.topology.text(), enums::name(interconnect.routing));
}

// Calls check(case, fail) for all cases in parallel; the test fails with the first few reasons there are.
template <class Check>
void check_all(const std::vector<Case>& all, const Check& check) {
  std::mutex writing;
  std::vector<std::string> failures;
  oneapi::tbb::parallel_for(
      std::size_t{0}, all.size(),
      [&](std::size_t i) {
        check(all[i], [&](const std::string& failure) {
          const std::lock_guard lock(writing);
          failures.push_back(failure);
        });
      },
      oneapi::tbb::simple_partitioner{});
  CHECK(failures.empty());
  for (std::size_t i = 0; i < std::min<std::size_t>(failures.size(), 10); ++i) FAIL_CHECK(failures[i]);
}

bool can_have(Family family, int nodes) {
  return (family != Family::hypercube && family != Family::tree) ||
         std::has_single_bit(static_cast<unsigned>(nodes));
}

Shape shape_of(Family family, const Parameters& parameters) {
  const bool grid = family == Family::mesh || family == Family::torus;
  return grid && parameters.extents.size() > 1 ? Shape(family, parameters.extents) : Shape(family);
}

// Where an algorithm promises load 1.
std::vector<Interconnect> carriers(const Case& one) {
  std::vector<Interconnect> all;
  for (const Carrier& carrier : one.algorithm->carriers) {
    const Family family = parse_family(carrier.family);
    if (family == Family::full || !can_have(family, one.parameters.nodes)) continue;
    const Topology topology(shape_of(family, one.parameters), one.parameters.nodes);
    all.emplace_back(topology,
                     carrier.routing.empty() ? topology.default_routing() : parse_routing(carrier.routing));
  }
  return all;
}

// Returns what no schedule for the collective is faster than, through these ports, on this topology.
double least(const Case& one, const Volume& volume, const Topology& topology) {
  Parameters parameters = one.parameters;
  parameters.segments = 1;
  const LowerBound bound = lower_bound(one.algorithm->collective, parameters, one.algorithm->ports, topology);
  return bound.startups * costs.t_s + bound.words * static_cast<double>(volume.bytes) * costs.t_w;
}

}  // namespace

TEST_CASE(
    "fully connected, every algorithm takes its closed form exactly where its rounds are uniform and tight") {
  std::map<bool, int> equal;
  std::mutex counting;
  check_all(cases(64, 4), [&](const Case& one, const auto& fail) {
    const Schedule schedule = one.algorithm->build(one.parameters);
    const Volume volume = volume_of(one, schedule);
    const Ports ports = one.algorithm->ports;
    const Interconnect full(Topology(vnode::shapes::full{}, one.parameters.nodes));
    const StepSynchronous steps = step_synchronous(schedule, volume, full, costs);
    const Simulation simulation =
        simulate(schedule, volume, full, {.costs = costs, .ports = ports, .timeline = false});
    const Cost cost = one.algorithm->cost(one.parameters);
    const double formula =
        cost.startups * costs.t_s + cost.words * static_cast<double>(volume.bytes) * costs.t_w;
    const std::string where = spelled(one, full);
    if (std::abs(formula - steps.uncongested) > 1e-9 * formula)
      fail(where + fmt::format("formula {}, steps {}", formula, steps.uncongested));
    const Deviation deviation = vnode::deviation(simulation, steps, volume, costs);
    if (!deviation.unexplained.empty()) fail(where + deviation.unexplained);
    const Tightness how = tightness(schedule, ports);
    if (how.one_each && deviation.seconds > 0) fail(where + fmt::format("{} s longer", deviation.seconds));
    if (how.one_each && how.uniform && how.tight != (deviation.seconds == 0))
      fail(where + fmt::format("tight {}, {} s longer", how.tight, deviation.seconds));
    if (deviation.seconds != 0 && how.one_each && how.uniform &&
        deviation.reasons != std::set{Reason::round_skipped})
      fail(where + "only skipped rounds could be the reason");
    if (simulation.seconds < least(one, volume, full.topology) * (1 - 1e-12))
      fail(where + fmt::format("{} s is below the lower bound", simulation.seconds));
    const std::lock_guard lock(counting);
    ++equal[deviation.seconds == 0];
  });
  // Both happen, so that both are tested.
  CHECK(equal[true] > equal[false]);
  CHECK(equal[false] > 0);
}

TEST_CASE("on topologies of load 1, and where links are crowded, every deviation has its reason") {
  check_all(cases(64, 2), [&](const Case& one, const auto& fail) {
    const Schedule schedule = one.algorithm->build(one.parameters);
    const Volume volume = volume_of(one, schedule);
    std::vector<Interconnect> where = carriers(one);
    for (const Family family : {Family::array, Family::mesh})
      where.emplace_back(Topology(shape_of(family, one.parameters), one.parameters.nodes));
    for (const Interconnect& interconnect : where) {
      const StepSynchronous steps = step_synchronous(schedule, volume, interconnect, costs);
      const Simulation simulation = simulate(
          schedule, volume, interconnect, {.costs = costs, .ports = one.algorithm->ports, .timeline = false});
      const Deviation deviation = vnode::deviation(simulation, steps, volume, costs);
      if (!deviation.unexplained.empty()) fail(spelled(one, interconnect) + deviation.unexplained);
      const bool longer = deviation.seconds > 0;
      const auto has = [&](Reason reason) { return deviation.reasons.count(reason) > 0; };
      if (longer && !has(Reason::shared_port) && !has(Reason::shared_link) && !has(Reason::rounds_meet))
        fail(spelled(one, interconnect) + "longer without a reason");
      if (simulation.seconds < least(one, volume, interconnect.topology) * (1 - 1e-12))
        fail(spelled(one, interconnect) + fmt::format("{} s is below the lower bound", simulation.seconds));
      if (steps.load <= 1 && has(Reason::shared_link))
        fail(spelled(one, interconnect) + "load 1, and a shared link");
    }
  });
}

TEST_CASE("under every model the critical path goes from the beginning to the end") {
  check_all(cases(17, 2), [&](const Case& one, const auto& fail) {
    const Schedule schedule = one.algorithm->build(one.parameters);
    const Volume volume = volume_of(one, schedule);
    for (const Family family : {Family::array, Family::mesh})
      for (const Duplex duplex : {Duplex::full, Duplex::half})
        for (const Switching switching : {Switching::cut_through, Switching::store_and_forward})
          for (const Ports ports : {Ports::single, Ports::all}) {
            const Topology topology(shape_of(family, one.parameters), one.parameters.nodes);
            const Interconnect interconnect(topology, topology.default_routing(), duplex);
            const SimulationOptions options{.costs = costs,
                                            .hop = 0.25,
                                            .t_op = 0.5,
                                            .switching = switching,
                                            .ports = ports,
                                            .timeline = false};
            const Simulation simulation = simulate(schedule, volume, interconnect, options);
            const std::vector<CriticalStep>& path = simulation.critical_path;
            if (path.empty()) continue;
            const std::string where = spelled(one, interconnect);
            if (path.front().held_by != HeldBy::none || path.front().since != 0)
              fail(where + "the path does not begin at the beginning");
            if (path.back().message.end != simulation.seconds)
              fail(where + "the path does not reach the end");
            for (std::size_t i = 1; i < path.size(); ++i)
              if (path[i].held_by == HeldBy::none || path[i].since < path[i - 1].since ||
                  path[i].since < path[i - 1].message.start || path[i].since > path[i].message.end)
                fail(where + fmt::format("step {} of the path is torn", i));
          }
  });
}

TEST_CASE("with combining, too, and under the other port model") {
  check_all(cases(24, 3), [&](const Case& one, const auto& fail) {
    const Schedule schedule = one.algorithm->build(one.parameters);
    const Volume volume = volume_of(one, schedule);
    const Interconnect full(Topology(vnode::shapes::full{}, one.parameters.nodes));
    constexpr double t_op = 0.5;
    const StepSynchronous steps = step_synchronous(schedule, volume, full, costs, t_op);
    for (const Ports ports : {Ports::single, Ports::all}) {
      const Simulation simulation =
          simulate(schedule, volume, full, {.costs = costs, .t_op = t_op, .ports = ports, .timeline = false});
      const Deviation deviation = vnode::deviation(simulation, steps, volume, costs, t_op);
      if (!deviation.unexplained.empty()) fail(spelled(one, full) + deviation.unexplained);
      if (tightness(schedule, ports).one_each && deviation.seconds > 0)
        fail(spelled(one, full) + fmt::format("{} s longer", deviation.seconds));
    }
  });
}

TEST_CASE("memory that suffices changes nothing") {
  check_all(cases(16, 3), [&](const Case& one, const auto& fail) {
    const Schedule schedule = one.algorithm->build(one.parameters);
    const Volume volume = volume_of(one, schedule);
    const Interconnect full(Topology(vnode::shapes::full{}, one.parameters.nodes));
    SimulationOptions options{.costs = costs, .ports = one.algorithm->ports};
    const Simulation without = simulate(schedule, volume, full, options);
    options.memory = MemoryBanks{{1e6, 1e6},
                                 {{1e6, 1e6}, {1e6, 1e6}},
                                 [](Rank node) { return node % 2; },
                                 [](const PortBuffer& buffer) { return (buffer.node + buffer.port) % 2; }};
    if (simulate(schedule, volume, full, options).timeline != without.timeline)
      fail(spelled(one, full) + "other times with memory banks");
  });
}

TEST_CASE(
    "a million nodes: a broadcast takes 20 messages one after the other, through the registered builder") {
  constexpr int nodes = 1 << 20;
  for (const char* const name : {"broadcast_hypercube", "broadcast_binomial"}) {
    const Schedule schedule = algorithm(name).build({.nodes = nodes, .root = 12345});
    const Simulation simulation =
        simulate(schedule, {4, 1}, Topology(shapes::hypercube{}, nodes), {.costs = costs, .timeline = false});
    CHECK(simulation.messages == nodes - 1);
    if (std::string_view(name) == "broadcast_hypercube") CHECK(simulation.seconds == 20 * 12);
    CHECK(simulation.seconds >= 20 * 12);
    CHECK(simulation.nodes.size() == nodes);
  }
}

TEST_CASE("there is an example of every reason, with the time of docs/simulation.md") {
  struct Example {
    const char* schedule;
    double steps, simulated;
    std::set<Reason> reasons;
  };
  const Example examples[] = {
      {"nodes 4 blocks 1\n1: 0>1\n2: 2>3", 18, 9, {Reason::round_skipped}},
      {"nodes 4 blocks 4\n1: 0>1[0-3] 2>3[0]\n2: 3>0[0-3]", 24, 21, {Reason::smaller_part}},
      {"nodes 3 blocks 1\n1: 1>0 1>2", 9, 18, {Reason::shared_port}},
      {"nodes 4 blocks 4\n1: 0>2 1>3", 12, 16, {Reason::shared_link}},
      {"nodes 5 blocks 16\n1: 0>1[0-3]\n2: 1>3[0-3]\n3: 2>4 3>2",
       48,
       52,
       {Reason::rounds_meet, Reason::round_skipped}},
  };
  for (const Example& example : examples) {
    CAPTURE(example.schedule);
    const Schedule schedule = schedule_from_text(example.schedule);
    const Volume volume{static_cast<std::size_t>(schedule.blocks()), schedule.blocks()};
    const Topology line(shapes::array{}, schedule.nodes());
    const StepSynchronous steps = step_synchronous(schedule, volume, line, costs);
    const Simulation simulation = simulate(schedule, volume, line, {.costs = costs});
    CHECK(steps.uncongested == example.steps);
    CHECK(simulation.seconds == example.simulated);
    const Deviation deviation = vnode::deviation(simulation, steps, volume, costs);
    CHECK(deviation.unexplained.empty());
    CHECK(deviation.reasons == example.reasons);
  }
}

TEST_CASE("a chain that is wrong is not explained") {
  const Schedule schedule = schedule_from_text("nodes 3 blocks 1\n1: 0>1\n2: 1>2");
  const Topology line(shapes::array{}, 3);
  const StepSynchronous steps = step_synchronous(schedule, {1, 1}, line, costs);
  const Simulation right = simulate(schedule, {1, 1}, line, {.costs = costs});
  const auto unexplained = [&](const auto& spoil) {
    Simulation wrong = right;
    spoil(wrong);
    return !vnode::deviation(wrong, steps, {1, 1}, costs).unexplained.empty();
  };
  CHECK_FALSE(unexplained([](Simulation&) {}));
  CHECK(unexplained([](Simulation& wrong) { wrong.seconds += 1; }));
  CHECK(unexplained([](Simulation& wrong) { wrong.critical_path.pop_back(); }));
  CHECK(unexplained([](Simulation& wrong) { wrong.critical_path[1].message.start = 5; }));
  CHECK(unexplained([](Simulation& wrong) { wrong.critical_path[1].message.round = 0; }));
  CHECK(unexplained([](Simulation& wrong) { wrong.critical_path[1].held_by = HeldBy::none; }));
}
