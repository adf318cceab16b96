#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/numa_distances.hpp>

#include "machine_file.hpp"

using vnode::Machine;

namespace {

template <class Part, class Value>
std::vector<Value> all(const std::vector<Part>& parts, Value Part::*member) {
  std::vector<Value> values;
  for (const Part& part : parts) values.push_back(part.*member);
  return values;
}

std::vector<int> os_indices(const Machine& machine) { return all(machine.pus, &vnode::Pu::os_index); }

}  // namespace

TEST_CASE("every machine of tests/machines has PUs with core, NUMA node and package, and distances") {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(machine_file("holes")).parent_path())) {
    if (entry.path().extension() != ".xml") continue;
    ++files;
    CAPTURE(entry.path());
    const Machine machine = Machine::from_xml(entry.path().string());
    for (std::size_t pu = 0; pu < machine.pus.size(); ++pu) {
      const auto has = [&](const auto& parts, int part) {
        return std::ranges::binary_search(parts.at(static_cast<std::size_t>(part)).pus, static_cast<int>(pu));
      };
      CHECK(has(machine.cores, machine.pus[pu].core));
      CHECK(has(machine.numas, machine.pus[pu].numa));
      CHECK(has(machine.packages, machine.pus[pu].package));
    }
    const vnode::NumaDistances distances = vnode::numa_distances(machine);
    REQUIRE(distances.values.size() == machine.numas.size());
    for (const auto& row : distances.values) CHECK(row.size() == machine.numas.size());
  }
  CHECK(files == 13);
}

TEST_CASE("a NUMA node without CPUs is near all, and no PU's nearest") {
  const Machine machine = machine_of_file("node_without_cpus");
  REQUIRE(machine.numas.size() == 3);
  CHECK(machine.numas[2].kind == "CXL-DRAM");
  CHECK(machine.numas[2].bytes == std::uint64_t{32} << 30);
  CHECK(machine.numas[2].pus.size() == 8);
  CHECK(all(machine.pus, &vnode::Pu::numa) == std::vector{0, 0, 0, 0, 1, 1, 1, 1});
  CHECK(machine.distances[1][2] == 40);
}

TEST_CASE("CPUs without a NUMA node have one without a number or memory") {
  const Machine machine = machine_of_file("cpus_without_node");
  REQUIRE(machine.numas.size() == 2);
  CHECK(machine.numas[1].os_index == -1);
  CHECK(machine.numas[1].bytes == 0);
  CHECK(machine.numas[1].pus == std::vector{2, 3});
  CHECK(all(machine.pus, &vnode::Pu::numa) == std::vector{0, 0, 1, 1});
  CHECK(machine.packages[1].pus == std::vector{2, 3});
}

TEST_CASE("CPUs without a NUMA node are no nearer to those of another package for it") {
  const Machine machine = machine_of_file("packages_without_node");
  CHECK(all(machine.pus, &vnode::Pu::package) == std::vector{0, 0, 1, 1, 2, 2});
  CHECK(all(machine.pus, &vnode::Pu::numa) == std::vector{0, 0, 1, 1, 2, 2});
  CHECK(all(machine.numas, &vnode::NumaNode::os_index) == std::vector{0, -1, -1});
  CHECK(machine.numas[1].pus == std::vector{2, 3});
  CHECK(machine.numas[2].pus == std::vector{4, 5});
  const auto distances = vnode::numa_distances(machine).values;
  CHECK(distances[1][2] > distances[1][1]);
}

TEST_CASE("CPUs of a NUMA node without memory keep it: it is where they are") {
  const Machine machine = machine_of_file("node_without_memory");
  CHECK(all(machine.pus, &vnode::Pu::numa) == std::vector{0, 0, 1, 1, 2, 2});
  CHECK(machine.numas[1].bytes == 0);
}

TEST_CASE("packages may differ in NUMA nodes, cores and PUs") {
  const Machine machine = machine_of_file("asymmetric_packages");
  CHECK(os_indices(machine) == std::vector{0, 5, 1, 6, 2, 3, 4});
  CHECK(all(machine.pus, &vnode::Pu::core) == std::vector{0, 0, 1, 1, 2, 3, 4});
  CHECK(all(machine.pus, &vnode::Pu::numa) == std::vector{0, 0, 0, 0, 1, 2, 3});
  CHECK(all(machine.pus, &vnode::Pu::package) == std::vector{0, 0, 0, 0, 0, 1, 2});
  CHECK(machine.groups.empty());
}

TEST_CASE("a file of hwloc 1 describes the same machine as one of hwloc 2") {
  Machine old = machine_of_file("format_of_hwloc_1");
  const Machine machine = machine_of_file("asymmetric_packages");
  old.source = machine.source;
  CHECK(old == machine);
}

TEST_CASE("holes in the system's numbers are none in ours") {
  const Machine machine = machine_of_file("holes");
  CHECK(os_indices(machine) == std::vector{2, 70, 4, 9, 33});
  CHECK(all(machine.cores, &vnode::Core::os_index) == std::vector{2, 5, 2, 40});
  CHECK(all(machine.packages, &vnode::Package::os_index) == std::vector{1, 3});
  CHECK(all(machine.numas, &vnode::NumaNode::os_index) == std::vector{1, 6});
  CHECK(machine.numas[1].pus == std::vector{3, 4});
  CHECK(machine.distances == std::vector<std::vector<std::uint64_t>>{{10, 20}, {20, 10}});
  CHECK(machine.offline.empty());
}

TEST_CASE("kinds of cores come with their efficiency, the frugal before the fast") {
  const Machine machine = machine_of_file("hybrid");
  REQUIRE(machine.kinds.size() == 2);
  CHECK(machine.kinds[0] ==
        vnode::CoreKind{0, {4, 5, 6, 7}, {{"CoreType", "IntelAtom"}, {"FrequencyMaxMHz", "2600"}}});
  CHECK(machine.kinds[1] ==
        vnode::CoreKind{1, {0, 1, 2, 3}, {{"CoreType", "IntelCore"}, {"FrequencyMaxMHz", "4400"}}});
  CHECK(all(machine.cores, &vnode::Core::kind) == std::vector{1, 1, 0, 0, 0, 0});
  CHECK(all(Machine::from_synthetic("core:2 pu:1").cores, &vnode::Core::kind) == std::vector{-1, -1});
}

TEST_CASE("one core with one PU is a machine") {
  const Machine machine = machine_of_file("one_core");
  CHECK(machine.pus == std::vector{vnode::Pu{}});
  CHECK(machine.cores.size() == 1);
  CHECK(machine.numas.size() == 1);
}

TEST_CASE("disallowed PUs and NUMA nodes are there but not allowed, offline PUs are listed apart") {
  const Machine machine = machine_of_file("disallowed");
  CHECK(os_indices(machine) == std::vector{0, 1, 2, 4, 5, 6});
  CHECK(machine.allowed_pus() == std::vector{1, 2, 3});
  CHECK(machine.offline == std::vector{3, 7});
  CHECK(machine.numas[0].allowed);
  CHECK_FALSE(machine.numas[1].allowed);
}

TEST_CASE("dies and other parts are groups, the outer before the inner, without packages and NUMA nodes") {
  const Machine machine = machine_of_file("levels");
  REQUIRE(machine.groups.size() == 2 + 8);
  CHECK(machine.groups[1] == vnode::MachineGroup{"Drawer", {8, 9, 10, 11, 12, 13, 14, 15}});
  CHECK(machine.groups[3] == vnode::MachineGroup{"Die", {2, 3}});
}

TEST_CASE("eight packages of eight NUMA nodes of 16 cores are 2048 PUs") {
  const Machine machine = Machine::from_synthetic("pack:8 numa:8 core:16 pu:2");
  CHECK(machine.pus.size() == 2048);
  CHECK(machine.cores.size() == 1024);
  CHECK(machine.numas.size() == 64);
  CHECK(machine.pus.back() == vnode::Pu{2047, 1023, 63, 7, true});
}
