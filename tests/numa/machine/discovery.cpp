#include <algorithm>
#include <doctest/doctest.h>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <vnode/model/machine.hpp>

#include "numa/kernel.hpp"

using vnode::Machine;

namespace {

const vnode::NumaNode& numa_of(const Machine& machine, const vnode::Pu& pu) {
  return machine.numas[static_cast<std::size_t>(pu.numa)];
}

std::vector<int> os_indices(const Machine& machine, const std::vector<int>& pus) {
  std::vector<int> indices;
  for (const int pu : pus) indices.push_back(machine.pus[static_cast<std::size_t>(pu)].os_index);
  std::ranges::sort(indices);
  return indices;
}

}  // namespace

TEST_CASE("the machine has four NUMA nodes with PUs, each a package, and one without") {
  const Machine machine = Machine::discover();
  CHECK(machine.numas.size() == 5);
  CHECK(machine.packages.size() == 4);
  std::set<int> near;
  for (const vnode::Pu& pu : machine.pus) near.insert(numa_of(machine, pu).os_index);
  CHECK(near == std::set{0, 1, 2, 3});
}

TEST_CASE("NUMA nodes are the kernel's, with its bytes") {
  const Machine machine = Machine::discover();
  std::vector<int> found;
  for (const vnode::NumaNode& numa : machine.numas) {
    found.push_back(numa.os_index);
    CHECK(numa.bytes == kernel::bytes_of(numa.os_index, "MemTotal"));
  }
  std::ranges::sort(found);
  CHECK(found == kernel::numas());
}

TEST_CASE("a PU's nearest NUMA node is the kernel's; PUs that are offline are not there") {
  const Machine machine = Machine::discover();
  std::vector<int> found;
  for (const vnode::Pu& pu : machine.pus) {
    found.push_back(pu.os_index);
    const std::vector<int> pus = kernel::pus_of(numa_of(machine, pu).os_index);
    CHECK(std::ranges::count(pus, pu.os_index) == 1);
  }
  std::ranges::sort(found);
  CHECK(found == kernel::numbers_of(kernel::line_of("/sys/devices/system/cpu/online")));
}

TEST_CASE("the PUs of a core are the kernel's siblings, those of a package its NUMA node's") {
  const Machine machine = Machine::discover();
  for (const vnode::Pu& pu : machine.pus) {
    const int near = numa_of(machine, pu).os_index;
    CHECK(os_indices(machine, machine.cores[static_cast<std::size_t>(pu.core)].pus) ==
          kernel::numbers_of(kernel::siblings_of(static_cast<unsigned>(pu.os_index))));
    CHECK(os_indices(machine, machine.packages[static_cast<std::size_t>(pu.package)].pus) ==
          kernel::pus_of(near));
  }
}

TEST_CASE("distances are the kernel's, and not all remote ones alike") {
  const Machine machine = Machine::discover();
  REQUIRE(machine.distances.size() == machine.numas.size());
  std::set<std::uint64_t> values;
  for (std::size_t from = 0; from < machine.numas.size(); ++from) {
    std::istringstream row(kernel::line_of(kernel::numa_folder(machine.numas[from].os_index) + "distance"));
    std::vector<std::uint64_t> expected;
    for (std::uint64_t value = 0; row >> value;) expected.push_back(value);
    for (std::size_t to = 0; to < machine.numas.size(); ++to) {
      CHECK(machine.distances[from][to] == expected.at(static_cast<std::size_t>(machine.numas[to].os_index)));
      values.insert(machine.distances[from][to]);
    }
  }
  CHECK(values == std::set<std::uint64_t>{10, 21, 28, 31, 41});
}

TEST_CASE("what the firmware tells of banks is the kernel's: how fast, how far, seen from which PUs") {
  const Machine machine = Machine::discover();
  // hwloc's names and units of what the kernel keeps in a file for each NUMA node.
  struct Told {
    std::string file, name, unit;
    bool higher_is_better;
  };
  for (const Told& told : {Told{"read_bandwidth", "ReadBandwidth", "MiB/s", true},
                           Told{"write_bandwidth", "WriteBandwidth", "MiB/s", true},
                           Told{"read_latency", "ReadLatency", "ns", false},
                           Told{"write_latency", "WriteLatency", "ns", false}}) {
    CAPTURE(told.name);
    const auto attribute =
        std::ranges::find(machine.memory_attributes, told.name, &vnode::MemoryAttribute::name);
    REQUIRE(attribute != machine.memory_attributes.end());
    CHECK(attribute->unit == told.unit);
    CHECK(attribute->higher_is_better == told.higher_is_better);
    REQUIRE(attribute->values.size() == machine.numas.size());
    for (const vnode::MemoryAttribute::Value& of : attribute->values) {
      const vnode::NumaNode& bank = machine.numas[static_cast<std::size_t>(of.numa)];
      CAPTURE(bank.os_index);
      const std::string initiators = kernel::numa_folder(bank.os_index) + "access0/initiators/";
      CHECK(std::to_string(of.value) == kernel::line_of(initiators + told.file));
      // The node without PUs is near node 0; the others are seen from their own.
      const int from = kernel::pus_of(bank.os_index).empty() ? 0 : bank.os_index;
      CHECK(os_indices(machine, of.pus) == kernel::pus_of(from));
    }
  }
}
