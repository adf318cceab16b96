#include "cluster/joint_beginning.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <doctest/doctest.h>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/model/select.hpp>

#include "cluster/cluster_layout.hpp"
#include "processes_in_one.hpp"

using namespace vnode;
using vnode_test::ProcessesInOne;

namespace {

/// Calls body(process) in every process. What each of them throws.
std::vector<std::string> in_all(int processes, const std::function<void(int)>& body) {
  std::vector<std::string> thrown(static_cast<std::size_t>(processes));
  std::vector<std::thread> threads;
  for (int process = 0; process < processes; ++process)
    threads.emplace_back([&, process] {
      try {
        body(process);
      } catch (const std::exception& error) {
        thrown[static_cast<std::size_t>(process)] = error.what();
      }
    });
  for (std::thread& thread : threads) thread.join();
  return thrown;
}

Settings settings(std::optional<CostModel> costs = {}) {
  Settings made;
  made.options.costs = costs;
  return made;
}

}  // namespace

TEST_CASE("what messages between machines cost is measured once, and has the same bits in all processes") {
  constexpr int count = 3;
  ProcessesInOne processes(count);
  std::array<PairCosts, count> network;
  const auto thrown = in_all(count, [&](int process) {
    JointBeginning beginning(processes.transport(process));
    ClusterLayout outside(beginning, settings(), shapes::full{});
    const Machine machine = Machine::from_synthetic("core:2 pu:1");
    outside.agree_on(beginning, machine, compact_mapping(machine, 1));
    outside.measure_network(beginning);
    network[static_cast<std::size_t>(process)] = outside.network();
  });
  CHECK(thrown == std::vector<std::string>(count));
  const auto bits = [](const Quantity& quantity) { return std::bit_cast<std::uint64_t>(quantity.value); };
  for (const auto part : {&PairCosts::t_s, &PairCosts::t_w, &PairCosts::L, &PairCosts::o, &PairCosts::g,
                          &PairCosts::G, &PairCosts::t_put})
    for (const PairCosts& one : network) {
      CHECK((one.*part).origin == Origin::measured);
      CHECK((one.*part).value >= 0);
      CHECK(bits(one.*part) == bits(network.front().*part));
    }
  CHECK(network.front().t_s.value > 0);
  CHECK(network.front().t_w.value > 0);
}

TEST_CASE("who cannot measure what messages between machines cost says so to who measures with it") {
  // Each end takes 33 rounds or more, however slow it is, and a poll for each at least.
  constexpr int within = 20;
  for (const int poor : {0, 1})
    for (const bool at_once : {true, false}) {
      ProcessesInOne processes(3);
      const auto thrown = in_all(3, [&](int process) {
        Transport& transport = processes.transport(process);
        JointBeginning beginning(transport);
        try {
          ClusterLayout outside(beginning, settings(), shapes::full{});
          const Machine machine = Machine::from_synthetic("core:2 pu:1");
          outside.agree_on(beginning, machine, compact_mapping(machine, 1));
          if (process == poor) processes.fail(process, at_once ? 0 : within);
          outside.measure_network(beginning);
        } catch (...) {
          beginning.fail(std::current_exception());
          throw;
        }
      });
      const std::string why = "the network is down", name = poor == 0 ? "process 0 on m0" : "process 1 on m1";
      for (int process = 0; process < 3; ++process)
        CHECK(thrown[static_cast<std::size_t>(process)] ==
              (process == poor ? why : name + " cannot make its part of the team: " + why));
    }
}

TEST_CASE("who gives the costs inside machines has typical ones between them") {
  ProcessesInOne processes(2);
  const auto thrown = in_all(2, [&](int process) {
    JointBeginning beginning(processes.transport(process));
    ClusterLayout outside(beginning, settings(typical_costs), shapes::full{});
    const Machine machine = Machine::from_synthetic("core:2 pu:1");
    outside.agree_on(beginning, machine, compact_mapping(machine, 1));
    if (outside.network() != typical_network()) throw SystemError("other costs");
  });
  CHECK(thrown == std::vector<std::string>(2));
}

TEST_CASE("a process that cannot make its part of a team says so to all, in whichever step they are") {
  for (int steps = 0; steps < 4; ++steps) {
    ProcessesInOne processes(2);
    const auto thrown = in_all(2, [&](int process) {
      JointBeginning beginning(processes.transport(process));
      try {
        for (int step = 0; step < 4; ++step) {
          if (process == 1 && step == steps) throw UsageError("no PU is left");
          MessageBuffer own;
          own.add(step);
          for (MessageBuffer& said : beginning.exchange(own)) REQUIRE(said.integer() == step);
        }
      } catch (...) {
        beginning.fail(std::current_exception());
        throw;
      }
    });
    CHECK(thrown[0] == "process 1 on m1 cannot make its part of the team: no PU is left");
    CHECK(thrown[1] == "no PU is left");
  }
}
