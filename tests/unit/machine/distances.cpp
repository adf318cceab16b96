#include <doctest/doctest.h>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/numa_distances.hpp>

#include "machine_file.hpp"

using vnode::DistanceSource;
using vnode::Machine;
using vnode::Meaning;

namespace {

using Values = std::vector<std::vector<std::uint64_t>>;

}  // namespace

TEST_CASE("matrices of all types and meanings are kept, in the order of the machine's parts") {
  const Machine machine = machine_of_file("four_nodes");
  REQUIRE(machine.matrices.size() == 3);
  CHECK(machine.matrices[0].name == "NUMALatency");
  CHECK(machine.matrices[0].meaning == Meaning::latency);
  CHECK_FALSE(machine.matrices[0].by_user);
  CHECK(machine.distances == machine.matrices[0].values);
  CHECK(machine.matrices[1] ==
        vnode::DistanceMatrix{
            .name = "BankBandwidth",
            .type = "NUMANode",
            .meaning = Meaning::bandwidth,
            .by_user = true,
            .parts = {0, 1, 2, 3},
            .values = {{80, 40, 20, 20}, {40, 80, 20, 20}, {20, 20, 80, 40}, {20, 20, 40, 80}}});
  CHECK(machine.matrices[2].type == "PU");
  CHECK(machine.matrices[2].parts == std::vector{1, 5});
  CHECK(machine.matrices[2].values == Values{{0, 300}, {310, 0}});
}

TEST_CASE("what the system reports is taken as it is") {
  const Machine machine = machine_of_file("four_nodes");
  const vnode::NumaDistances distances = vnode::numa_distances(machine);
  CHECK(distances.source == DistanceSource::reported);
  CHECK(distances.values == machine.distances);
  CHECK(vnode::enums::name(distances.source) == "reported by the system");
}

TEST_CASE("where nothing is reported, distances follow from the levels of the machine") {
  CHECK(vnode::numa_distances(Machine::from_synthetic("core:4 pu:1")).values == Values{{10}});
  const vnode::NumaDistances packages = vnode::numa_distances(Machine::from_synthetic("pack:2 numa:2 pu:2"));
  CHECK(packages.source == DistanceSource::hops);
  CHECK(packages.values == Values{{10, 12, 20, 20}, {12, 10, 20, 20}, {20, 20, 10, 12}, {20, 20, 12, 10}});
  CHECK(vnode::numa_distances(machine_of_file("mcdram")).values ==
        Values{{10, 11, 12, 12}, {11, 10, 12, 12}, {12, 12, 10, 11}, {12, 12, 11, 10}});
  CHECK(vnode::numa_distances(machine_of_file("asymmetric_packages")).values ==
        Values{{10, 12, 20, 20}, {12, 10, 20, 20}, {20, 20, 10, 20}, {20, 20, 20, 10}});
}

TEST_CASE("each level between them makes NUMA nodes farther from each other") {
  const Values values = vnode::numa_distances(machine_of_file("levels")).values;
  CHECK(values[0] ==
        std::vector<std::uint64_t>{10, 12, 13, 13, 20, 20, 20, 20, 30, 30, 30, 30, 30, 30, 30, 30});
  for (std::size_t a = 0; a < values.size(); ++a)
    for (std::size_t b = 0; b < values.size(); ++b) CHECK(values[a][b] == values[b][a]);
}

TEST_CASE("a bank near all PUs is as far from each package as another package") {
  Machine machine = machine_of_file("node_without_cpus");
  machine.distances.clear();
  machine.matrices.clear();
  CHECK(vnode::numa_distances(machine).values == Values{{10, 20, 20}, {20, 10, 20}, {20, 20, 10}});
  machine.numas[2].pus.clear();
  CHECK(vnode::numa_distances(machine).values == Values{{10, 20, 20}, {20, 10, 20}, {20, 20, 10}});
}

TEST_CASE("what the system reports of some NUMA nodes is completed by levels, in their unit") {
  Machine machine = machine_of_file("four_nodes");
  machine.distances.clear();
  machine.matrices[0].parts = {1, 3};
  for (const std::uint64_t local : {10U, 130U}) {
    machine.matrices[0].values = {{local, local * 77 / 10}, {local * 78 / 10, local}};
    const vnode::NumaDistances distances = vnode::numa_distances(machine);
    CHECK(distances.source == DistanceSource::partly);
    CHECK(distances.values == Values{{10, 20, 20, 20}, {20, 10, 20, 77}, {20, 20, 10, 20}, {20, 78, 20, 10}});
  }
  machine.matrices[0].values = {{0, 300}, {330, 0}};  // to itself it says nothing: another package is 20
  CHECK(vnode::numa_distances(machine).values ==
        Values{{10, 20, 20, 20}, {20, 10, 20, 20}, {20, 20, 10, 20}, {20, 22, 20, 10}});
}

TEST_CASE("a distance of 0 is one that the system does not know") {
  Machine machine = Machine::from_synthetic("pack:3 numa:1 core:2 pu:1");
  machine.distances = {{100, 0, 320}, {210, 100, 220}, {0, 240, 0}};
  const vnode::NumaDistances distances = vnode::numa_distances(machine);
  CHECK(distances.source == DistanceSource::partly);
  CHECK(distances.values == Values{{10, 20, 32}, {21, 10, 22}, {20, 24, 10}});
  machine.distances = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  CHECK(vnode::numa_distances(machine).source == DistanceSource::hops);
  machine.distances = {{10, 20}, {20, 10}};  // of 3 NUMA nodes
  CHECK(vnode::numa_distances(machine).source == DistanceSource::hops);
}

TEST_CASE("no number that a file can hold makes a distance that cannot be counted with") {
  Machine machine = Machine::from_synthetic("numa:2 core:2 pu:1");
  machine.distances = {{1, 0xffff'ffff'ffff'ffff}, {0, 1}};
  CHECK(vnode::numa_distances(machine).values == Values{{10, 1'000'000'000'000'000}, {12, 10}});
}

TEST_CASE("who is near a NUMA node without memory that may be used has its bank in the nearest that has") {
  const auto banks = [](const Machine& machine) {
    std::vector<int> found;
    for (int numa = 0; numa < static_cast<int>(machine.numas.size()); ++numa)
      found.push_back(vnode::nearest_bank(machine, vnode::numa_distances(machine), numa).value_or(-1));
    return found;
  };
  CHECK(banks(machine_of_file("four_nodes")) == std::vector{0, 1, 2, 3});
  CHECK(banks(machine_of_file("node_without_memory")) == std::vector{0, 2, 2});
  CHECK(banks(machine_of_file("cpus_without_node")) == std::vector{0, 0});
  CHECK(banks(machine_of_file("disallowed")) == std::vector{0, 0});
  Machine machine = machine_of_file("four_nodes");
  for (vnode::NumaNode& numa : machine.numas) numa.bytes = 0;  // none is known
  CHECK(banks(machine) == std::vector{0, 1, 2, 3});
  for (vnode::NumaNode& numa : machine.numas) numa.allowed = false;
  CHECK(banks(machine) == std::vector{-1, -1, -1, -1});
}

TEST_CASE("there is no bank for a NUMA node that is not there") {
  const Machine machine = machine_of_file("one_core");
  const vnode::NumaDistances distances = vnode::numa_distances(machine);
  for (const int numa : {-1, 1})
    CHECK_THROWS_WITH_AS(vnode::nearest_bank(machine, distances, numa),
                         doctest::Contains("there is no NUMA node "), vnode::UsageError);
}
