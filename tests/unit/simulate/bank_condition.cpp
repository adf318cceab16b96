#include <doctest/doctest.h>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/bank_condition.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/lab/simulate.hpp>
#include <vnode/lab/step_synchronous.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/port_banks.hpp>

#include "costs.hpp"

using namespace vnode;

namespace {

constexpr Hockney costs{8, 1};  // a stream needs 1 byte a second

// Nodes of a cube on a machine of `banks` banks, which feed `streams` streams each.
MemoryBanks memory(int nodes, int banks, Banks policy, double streams) {
  const Machine machine = Machine::from_synthetic(
      "numa:" + std::to_string(banks) + " core:" + std::to_string((nodes + banks - 1) / banks) + " pu:1");
  const PortBanks ports(machine, compact_mapping(machine, nodes), Topology(shapes::hypercube{}, nodes),
                        policy);
  return ports.memory(std::vector<double>(static_cast<std::size_t>(banks), streams));
}

struct Played {
  BankCondition condition;
  double simulated = 0;   // rounds overlap where some nodes are done before others
  double one_by_one = 0;  // every round simulated by itself
  double rounds = 0;      // as if memory were no limit
};

Played play(const Algorithm& algorithm, int nodes, int segments, const MemoryBanks& banks) {
  const Parameters parameters{.nodes = nodes, .segments = segments};
  const Schedule schedule = algorithm.build(parameters);
  const int blocks = contract(algorithm.collective, parameters, schedule.blocks()).message_blocks;
  const Volume volume{static_cast<std::size_t>(blocks) * 64, blocks};
  const Topology cube(shapes::hypercube{}, nodes);
  Played played{bank_condition(schedule, volume, cube, banks, costs)};
  SimulationOptions options{.costs = costs, .ports = algorithm.ports};
  options.memory = banks;
  played.simulated = simulate(schedule, volume, cube, options).seconds;
  for (const Round& round : schedule.rounds()) {
    Schedule alone(nodes, schedule.blocks());
    Round& messages = alone.next_round();
    for (Transfer transfer : round) {
      transfer.what = alone.blocks_of(schedule.intervals(transfer.what));
      transfer.into = alone.blocks_of(schedule.intervals(transfer.into));
      messages.push_back(transfer);
    }
    played.one_by_one += simulate(alone, volume, cube, options).seconds;
  }
  played.rounds = step_synchronous(schedule, volume, cube, costs).uncongested;
  return played;
}

// One round in which node 0 of a cube of `d` dimensions sends through all its ports.
Schedule through_all_ports(int d) {
  Schedule schedule(1 << d, d);
  Round& round = schedule.next_round();
  for (int port = 0; port < d; ++port) round.push_back({0, 1 << port, schedule.block(port)});
  return schedule;
}

}  // namespace

TEST_CASE("S_b counts reads and writes of a bank, and t_w is multiplied by S_b / (W_b t_w)") {
  const Schedule schedule = schedule_from_text("nodes 4 blocks 4\n1: 0>1[0] 2>3[1] 2>0[2]\n2: 0>1[3]");
  const Volume volume{40, 4};
  const Topology topology(shapes::full{}, 4);
  // Nodes 0 and 1 on bank 0, the others on bank 1.
  MemoryBanks banks{{1.5, 2.5},
                    {},
                    [](Rank node) { return node / 2; },
                    [](const PortBuffer& buffer) { return buffer.node / 2; }};
  const BankCondition condition = bank_condition(schedule, volume, topology, banks, costs);
  CHECK(condition.most == std::vector{1.5, 2.5});
  REQUIRE(condition.rounds.size() == 2);
  CHECK(condition.rounds[0].bank == 0);  // 0 reads, 1 and 0 write: 3 of 1.5; on bank 1 it is 3 of 2.5
  CHECK(condition.rounds[0].streams == 3);
  CHECK(condition.rounds[0].factor == 2);
  CHECK(condition.rounds[1].streams == 2);
  CHECK(condition.rounds[1].factor == doctest::Approx(2 / 1.5));
  CHECK_FALSE(condition.holds());
  CHECK(condition.tightest().streams == 3);
  CHECK(condition.unlimited == 2 * 18);
  CHECK(condition.seconds == doctest::Approx(8 + 20 + 8 + 10 * 2 / 1.5));
  banks.bandwidth = {3, 3};
  CHECK(bank_condition(schedule, volume, topology, banks, costs).holds());
  CHECK(bank_condition(schedule, volume, topology, banks, {8, 0}).holds());  // streams that take no time
  banks.bank = [](const PortBuffer&) { return every_bank; };
  CHECK(bank_condition(schedule, volume, topology, banks, costs).rounds[0].streams == 3);  // 6 on two
  banks.turns = {1};
  const BankLoad on_one = bank_condition(schedule, volume, topology, banks, costs).rounds[0];
  CHECK(on_one.streams == 6);
  CHECK(on_one.bank == 1);
  CHECK(on_one.factor == 2);
  banks.turns = {2};
  CHECK_THROWS_AS(bank_condition(schedule, volume, topology, banks, costs), UsageError);
}

TEST_CASE("the book's condition: d ports gain up to min(d, banks) by spread, and nothing on one bank") {
  for (int d = 1; d <= 5; ++d)
    for (const int banks : {1, 2, 4, 8}) {
      const Schedule schedule = through_all_ports(d);
      const Volume volume{static_cast<std::size_t>(4 * d), d};
      const Topology cube(shapes::hypercube{}, 1 << d);
      // Receivers' buffers lie behind the banks: the sender's are what limits.
      const auto with = [&](auto&& bank) {
        return MemoryBanks{std::vector<double>(static_cast<std::size_t>(banks + (1 << d)), 1),
                           {},
                           [](Rank) { return 0; },
                           [=](const PortBuffer& b) { return b.receives ? banks + b.node : bank(b.port); }};
      };
      const auto factor = [&](const MemoryBanks& memory) {
        const BankCondition condition = bank_condition(schedule, volume, cube, memory, exact);
        SimulationOptions options{.costs = exact, .ports = Ports::all};
        options.memory = memory;
        CHECK(simulate(schedule, volume, cube, options).seconds == doctest::Approx(condition.seconds));
        return condition.tightest().factor;
      };
      const double fill = exact.t_w;  // a bank that a stream fills
      auto one = with([](int) { return 0; }), spread = with([=](int port) { return port % banks; });
      one.bandwidth.assign(one.bandwidth.size(), 1 / fill);
      spread.bandwidth = one.bandwidth;
      CHECK(factor(one) == doctest::Approx(d));
      CHECK(factor(spread) == doctest::Approx((d + banks - 1) / banks));
      one.bandwidth.assign(one.bandwidth.size(), d / fill);  // where banks do not limit: no gain
      CHECK(factor(one) == 1);
    }
}

TEST_CASE(
    "rounds whose messages have one size are simulated as the condition says: rotated orders and ESBT") {
  for (const char* name : {"broadcast_rotated", "all_gather_rotated", "broadcast_esbt_all_port"})
    for (const int nodes : {4, 8, 16})
      for (const int banks : {1, 2, 4})
        for (const Banks policy : all_banks())
          for (const double streams : {1.0, 3.0, 1000.0}) {
            CAPTURE(name);
            CAPTURE(nodes);
            CAPTURE(banks);
            CAPTURE(vnode::enums::name(policy));
            CAPTURE(streams);
            const Played played = play(algorithm(name), nodes, 12, memory(nodes, banks, policy, streams));
            CHECK(played.one_by_one == doctest::Approx(played.condition.seconds));
            CHECK(played.simulated >= played.rounds * (1 - 1e-9));
            if (played.condition.holds()) CHECK(played.simulated == doctest::Approx(played.rounds));
            if (banks == 1 &&
                std::string_view(name) == "all_gather_rotated")  // all nodes alike in all rounds
              CHECK(played.simulated == doctest::Approx(played.condition.seconds));
          }
}

TEST_CASE("on one bank all policies are one; spread asks no bank for more than the others do") {
  for (const int nodes : {8, 16, 32}) {
    const Algorithm& all_gather = algorithm("all_gather_rotated");
    for (const Banks policy : all_banks())
      CHECK(play(all_gather, nodes, 1, memory(nodes, 1, policy, 1)).condition.seconds ==
            play(all_gather, nodes, 1, memory(nodes, 1, Banks::one, 1)).condition.seconds);
    const auto seconds = [&](Banks policy) {
      return play(all_gather, nodes, 1, memory(nodes, 4, policy, 1)).condition.seconds;
    };
    CHECK(seconds(Banks::spread) <= seconds(Banks::one));
    CHECK(seconds(Banks::interleave) <= seconds(Banks::spread) * (1 + 1e-9));
    CHECK(seconds(Banks::owner) == doctest::Approx(seconds(Banks::interleave)));  // every node does the same
  }
}
