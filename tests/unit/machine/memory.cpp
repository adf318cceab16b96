#include <doctest/doctest.h>

#include <vnode/model/machine.hpp>

#include "machine_file.hpp"
#include "temporary_file.hpp"

using vnode::Machine;
using vnode::MemoryAttribute;

TEST_CASE("special memory beside ordinary memory is no PU's nearest, and caches before it are known") {
  const Machine machine = machine_of_file("mcdram");
  REQUIRE(machine.numas.size() == 4);
  CHECK(machine.numas[0] == vnode::NumaNode{.os_index = 0,
                                            .bytes = std::uint64_t{24} << 30,
                                            .pus = {0, 1, 2, 3},
                                            .allowed = true,
                                            .kind = "",
                                            .cache_bytes = std::uint64_t{1} << 30});
  CHECK(machine.numas[1] == vnode::NumaNode{.os_index = 2,
                                            .bytes = std::uint64_t{4} << 30,
                                            .pus = {0, 1, 2, 3},
                                            .allowed = true,
                                            .kind = "MCDRAM",
                                            .cache_bytes = 0});
  CHECK(machine.pus[0].numa == 0);
  CHECK(machine.pus[7].numa == 2);
}

TEST_CASE("of NUMA nodes near the same PUs the first ordinary one with memory is the nearest") {
  const auto nearest = [](const std::string& first, const std::string& second) {
    const auto bank = [](int number, const std::string& attributes) {
      return "<object type=\"NUMANode\" os_index=\"" + std::to_string(number) +
             "\" cpuset=\"0x1\" complete_cpuset=\"0x1\" nodeset=\"" + std::to_string(number + 1) +
             "\" complete_nodeset=\"" + std::to_string(number + 1) + "\" gp_index=\"" +
             std::to_string(number + 2) + "\" " + attributes + "/>";
    };
    const TemporaryFile file(
        "<topology version=\"2.0\"><object type=\"Machine\" os_index=\"0\" cpuset=\"0x1\" "
        "complete_cpuset=\"0x1\" allowed_cpuset=\"0x1\" nodeset=\"0x3\" complete_nodeset=\"0x3\" "
        "allowed_nodeset=\"0x3\" gp_index=\"1\">" +
        bank(0, first) + bank(1, second) +
        "<object type=\"PU\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" nodeset=\"0x3\" "
        "complete_nodeset=\"0x3\" gp_index=\"4\"/></object></topology>");
    return Machine::from_xml(file.path).pus.at(0).numa;
  };
  CHECK(nearest("local_memory=\"4096\"", "local_memory=\"4096\"") == 0);
  CHECK(nearest("local_memory=\"0\"", "local_memory=\"4096\"") == 1);
  CHECK(nearest("local_memory=\"4096\" subtype=\"HBM\"", "local_memory=\"4096\"") == 1);
  CHECK(nearest("local_memory=\"4096\" subtype=\"DRAM\"", "local_memory=\"4096\"") == 0);
  CHECK(nearest("local_memory=\"4096\" subtype=\"HBM\"", "local_memory=\"0\"") == 0);
}

TEST_CASE("memory attributes say from which PUs they hold") {
  const Machine machine = machine_of_file("mcdram");
  REQUIRE(machine.memory_attributes.size() == 2);
  const std::vector<int> left{0, 1, 2, 3}, right{4, 5, 6, 7};
  CHECK(machine.memory_attributes[0] == MemoryAttribute{.name = "Bandwidth",
                                                        .unit = "MiB/s",
                                                        .higher_is_better = true,
                                                        .values = {{0, left, 40000},
                                                                   {0, right, 30000},
                                                                   {1, left, 200000},
                                                                   {1, right, 150000},
                                                                   {2, left, 30000},
                                                                   {2, right, 40000},
                                                                   {3, left, 150000},
                                                                   {3, right, 200000}}});
  CHECK(machine.memory_attributes[1].name == "Latency");
  CHECK(machine.memory_attributes[1].unit == "ns");
  CHECK_FALSE(machine.memory_attributes[1].higher_is_better);
  CHECK(machine.memory_attributes[1].values.size() == 8);
  CHECK(Machine::from_synthetic("numa:2 pu:2").memory_attributes.empty());
}
