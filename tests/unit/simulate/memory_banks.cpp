#include <doctest/doctest.h>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/lab/simulate.hpp>
#include <vnode/lab/step_synchronous.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/port_banks.hpp>

#include "costs.hpp"
#include "machine_file.hpp"

using namespace vnode;

namespace {

// Banks that a stream of `exact` fills; every node at home on bank 0, buffers as `bank` says.
MemoryBanks banks(int count, std::function<int(const PortBuffer&)> bank) {
  return {std::vector<double>(static_cast<std::size_t>(count), 1 / exact.t_w),
          {},
          [](Rank) { return 0; },
          std::move(bank)};
}

// Node 0 of a cube of `d` dimensions sends 4 bytes through each of its ports; its buffers are on the first
// banks by `spread`, round robin, and every receiver has a bank of its own behind them.
double through_all_ports(int d, int spread) {
  Schedule schedule(1 << d, d);
  Round& round = schedule.next_round();
  for (int port = 0; port < d; ++port) round.push_back({0, 1 << port, schedule.block(port)});
  SimulationOptions options{.costs = exact, .ports = Ports::all};
  options.memory = banks(spread + (1 << d), [=](const PortBuffer& buffer) {
    return buffer.receives ? spread + buffer.node : buffer.port % spread;
  });
  return simulate(schedule, {static_cast<std::size_t>(4 * d), d}, Topology(shapes::hypercube{}, 1 << d),
                  options)
      .seconds;
}

}  // namespace

TEST_CASE("d streams out of one bank that one stream fills take d times as long") {
  for (int d = 1; d <= 6; ++d) CHECK(through_all_ports(d, 1) == doctest::Approx(8 + 4 * d));
}

TEST_CASE("spread over banks, they are up to min(d, banks) times faster") {
  for (int d = 1; d <= 6; ++d)
    for (int spread = 1; spread <= 8; ++spread) {
      const int streams = (d + spread - 1) / spread;  // in the fullest bank
      CHECK(through_all_ports(d, spread) == doctest::Approx(8 + 4 * streams));
    }
}

TEST_CASE("who reads and writes in one bank needs it twice") {
  const Schedule schedule = schedule_from_text("nodes 2 blocks 4\n1: 0>1[0-3]");
  SimulationOptions options{.costs = exact};
  options.memory = banks(1, [](const PortBuffer&) { return 0; });
  CHECK(play(schedule, Topology(shapes::full{}, 2), options).seconds == doctest::Approx(8 + 8));
}

TEST_CASE("what one cannot use, the others have: max-min fair, and anew whenever one ends") {
  // Bank 0 gives 1 byte a second to two readers; one of them writes to bank 1, which gives it 1/4 only.
  const Schedule schedule = schedule_from_text("nodes 3 blocks 16\n1: 0>1[0-1] 0>2[2-15]");
  SimulationOptions options{.costs = exact, .ports = Ports::all};
  options.memory = banks(3, [](const PortBuffer& buffer) { return buffer.receives ? buffer.node : 0; });
  options.memory->bandwidth = {1, 0.25, 1};
  const Simulation simulation = play(schedule, Topology(shapes::full{}, 3), options);
  // 2 bytes at 1/4 end after 8 s; by then 6 bytes have gone at 3/4; the other 8 go alone.
  CHECK(end(simulation, 0) == doctest::Approx(8 + 8));
  CHECK(end(simulation, 1) == doctest::Approx(8 + 8 + 8));
}

TEST_CASE("a way between two NUMA nodes is shared by what passes it, to the core that copies and on") {
  const Schedule schedule = schedule_from_text("nodes 4 blocks 8\n1: 0>2[0-3] 1>3[4-7]");
  SimulationOptions options{.costs = exact};
  MemoryBanks memory = banks(2, [](const PortBuffer& buffer) { return buffer.node / 2; });
  memory.bandwidth = {64, 64};
  memory.home = [](Rank node) { return node / 2; };
  memory.between = {{64, 1}, {64, 64}};
  options.memory = memory;
  CHECK(play(schedule, Topology(shapes::full{}, 4), options).seconds == doctest::Approx(8 + 2 * 4));
  options.memory->between = {};
  CHECK(play(schedule, Topology(shapes::full{}, 4), options).seconds == 12);
  // The receivers' cores on the senders' NUMA node, the buffers as before: the bytes pass all the same.
  options.memory->between = {{64, 1}, {64, 64}};
  options.memory->home = [](Rank) { return 0; };
  CHECK(play(schedule, Topology(shapes::full{}, 4), options).seconds == doctest::Approx(8 + 2 * 4));
  // Buffers on one bank, cores on the other: there and back.
  options.memory->bank = [](const PortBuffer&) { return 0; };
  options.memory->home = [](Rank) { return 1; };
  options.memory->between = {{64, 8}, {0.5, 64}};
  CHECK(play(schedule, Topology(shapes::full{}, 4), options).seconds == doctest::Approx(8 + 2 * 4 / 0.5));
}

TEST_CASE("an interleaved buffer takes a share of every bank, and of every way to it") {
  const Schedule schedule = schedule_from_text("nodes 4 blocks 16\n1: 0>2[0-7] 1>3[8-15]");
  SimulationOptions options{.costs = exact};
  options.memory = banks(2, [](const PortBuffer&) { return every_bank; });
  options.memory->bandwidth = {1, 1};  // 4 streams, 2 in each
  const double at_half = 8 + 8 * 2;
  CHECK(play(schedule, Topology(shapes::full{}, 4), options).seconds == doctest::Approx(at_half));
  options.memory->bandwidth = {1, 64};  // half of each stream goes through bank 0
  CHECK(play(schedule, Topology(shapes::full{}, 4), options).seconds == doctest::Approx(at_half));
  options.memory->bandwidth = {64, 64};
  options.memory->between = {{64, 64}, {0.25, 64}};  // half of what is read comes from bank 1 to node 0
  CHECK(play(schedule, Topology(shapes::full{}, 4), options).seconds == doctest::Approx(8 + 8 * 4));
}

TEST_CASE("an interleaved buffer takes turns on the banks that exist only") {
  const Schedule schedule = schedule_from_text("nodes 4 blocks 16\n1: 0>2[0-7] 1>3[8-15]");
  SimulationOptions options{.costs = exact};
  options.memory = banks(4, [](const PortBuffer&) { return every_bank; });
  options.memory->bandwidth = {1, 1, 1, 1};  // 4 streams
  CHECK(play(schedule, Topology(shapes::full{}, 4), options).seconds == doctest::Approx(8 + 8));
  options.memory->turns = {1, 3};
  CHECK(play(schedule, Topology(shapes::full{}, 4), options).seconds == doctest::Approx(8 + 8 * 2));
  options.memory->turns = {3};
  CHECK(play(schedule, Topology(shapes::full{}, 4), options).seconds == doctest::Approx(8 + 8 * 4));
  options.memory->turns = {1, 4};
  CHECK_THROWS_WITH_AS(play(schedule, Topology(shapes::full{}, 4), options),
                       "buffers cannot lie on bank 4 in turn: there are 0 to 3", UsageError);
}

TEST_CASE("cores of a NUMA node without memory have ways to go to every bank") {
  const Machine machine = machine_of_file("node_without_memory");
  const PortBanks ports(machine, given_mapping(machine, {2, 3}), Topology(shapes::full{}, 2), Banks::owner);
  const Schedule schedule = schedule_from_text("nodes 2 blocks 4\n1: 0>1[0-3]");
  SimulationOptions options{.costs = exact};
  options.memory = ports.memory(std::vector<double>(3, 64));
  CHECK(play(schedule, Topology(shapes::full{}, 2), options).seconds == doctest::Approx(8 + 4));
  options.memory->between.assign(3, std::vector<double>(3, 0.25));
  CHECK(play(schedule, Topology(shapes::full{}, 2), options).seconds == doctest::Approx(8 + 4 * 4));
}

TEST_CASE("where the banks suffice the times are exactly those without them") {
  for (const char* name :
       {"all_gather_rotated", "broadcast_binomial", "all_to_all_e_cube", "reduce_rotated"}) {
    const Algorithm& algorithm = vnode::algorithm(name);
    const Parameters parameters{.nodes = 8};
    const Schedule schedule = algorithm.build(parameters);
    const Volume volume{1024, contract(algorithm.collective, parameters, schedule.blocks()).message_blocks};
    SimulationOptions options{.costs = Hockney{8, 0.125}, .ports = algorithm.ports};
    const Topology cube(shapes::hypercube{}, 8);
    const Simulation without = simulate(schedule, volume, cube, options);
    options.memory = banks(2, [](const PortBuffer& b) { return (2 * b.port + b.receives) % 2; });
    options.memory->bandwidth = {1e6, 1e6};
    CHECK(simulate(schedule, volume, cube, options).timeline == without.timeline);
    if (std::string_view(name) != "reduce_rotated")
      CHECK(without.seconds == step_synchronous(schedule, volume, cube, {8, 0.125}).scaled);
  }
}
