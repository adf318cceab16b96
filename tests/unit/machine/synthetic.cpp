#include <algorithm>
#include <doctest/doctest.h>
#include <numeric>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>

using vnode::Machine;

namespace {

std::vector<int> range(int first, int last) {
  std::vector<int> numbers(static_cast<std::size_t>(last - first));
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

}  // namespace

TEST_CASE(
    "a synthetic machine of 2 packages x 2 NUMA nodes x 4 cores x 2 PUs has all of them in their places") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:2 core:4 pu:2");
  CHECK(machine.source == "pack:2 numa:2 core:4 pu:2");
  CHECK_FALSE(machine.this_system);
  REQUIRE(machine.pus.size() == 32);
  REQUIRE(machine.cores.size() == 16);
  REQUIRE(machine.numas.size() == 4);
  REQUIRE(machine.packages.size() == 2);
  for (int pu = 0; pu < 32; ++pu)
    CHECK(machine.pus[static_cast<std::size_t>(pu)] ==
          vnode::Pu{.os_index = pu, .core = pu / 2, .numa = pu / 8, .package = pu / 16, .allowed = true});
  for (int core = 0; core < 16; ++core)
    CHECK(machine.cores[static_cast<std::size_t>(core)] == vnode::Core{core, range(2 * core, 2 * core + 2)});
  for (int numa = 0; numa < 4; ++numa)
    CHECK(machine.numas[static_cast<std::size_t>(numa)].pus == range(8 * numa, 8 * numa + 8));
  CHECK(machine.packages[1].pus == range(16, 32));
  CHECK(machine.caches.empty());
  CHECK(machine.distances.empty());
  CHECK(machine.allowed_pus() == range(0, 32));
  CHECK(machine.allowed_cores() == 16);
}

TEST_CASE("caches come by level, each with its size and PUs") {
  const Machine machine =
      Machine::from_synthetic("pack:2 l3:1(size=8MiB) l2:2(size=512KiB) l1d:1(size=32KiB) core:1 pu:2");
  REQUIRE(machine.caches.size() == 4 + 4 + 2);
  CHECK(machine.caches[1] == vnode::Cache{1, 32 << 10, {2, 3}});
  CHECK(machine.caches[7] == vnode::Cache{2, 512 << 10, {6, 7}});
  CHECK(machine.caches[8] == vnode::Cache{3, 8 << 20, {0, 1, 2, 3}});
}

TEST_CASE("indices follow locality however the system numbers its PUs") {
  const Machine machine = Machine::from_synthetic("pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)");
  CHECK(machine.cores[1].pus == std::vector{2, 3});
  CHECK(machine.pus[2].os_index == 1);
  CHECK(machine.pus[3].os_index == 5);
  CHECK(machine.pus[3].core == 1);
}

TEST_CASE("a machine without packages or cores has one package, and PUs that are cores") {
  const Machine machine = Machine::from_synthetic("3");
  REQUIRE(machine.pus.size() == 3);
  CHECK(machine.packages == std::vector{vnode::Package{-1, {0, 1, 2}}});
  REQUIRE(machine.cores.size() == 3);
  CHECK(machine.cores[2] == vnode::Core{-1, {2}});
  CHECK(machine.pus[2].core == 2);
  CHECK(machine.numas.size() == 1);
}

TEST_CASE("a PU's NUMA node is the nearest where a bank is near to all") {
  const Machine machine =
      Machine::from_synthetic("[numa(memory=64GiB)] pack:2 [numa(memory=16GiB)] core:2 pu:1");
  REQUIRE(machine.numas.size() == 3);
  for (const vnode::Pu& pu : machine.pus) {
    const vnode::NumaNode& near = machine.numas[static_cast<std::size_t>(pu.numa)];
    CHECK(near.bytes == std::uint64_t{16} << 30);
    CHECK(near.pus == machine.packages[static_cast<std::size_t>(pu.package)].pus);
  }
  CHECK(std::ranges::count_if(machine.numas, [](const auto& numa) {
          return numa.bytes == std::uint64_t{64} << 30 && numa.pus == std::vector{0, 1, 2, 3};
        }) == 1);
}

TEST_CASE("what describes no machine is named") {
  for (const std::string bad :
       {"", " ", "pack:2 foo:2", "core:4", "pu:0", "pack:2 pu:2 xx", "pu:-3", "numa:2 2 2", "numa:"}) {
    CAPTURE(bad);
    const std::string sentence =
        '"' + bad +
        "\" describes no machine: write kinds from the outside in, each with its "
        "number per parent and PUs last, "
        "as in \"pack:2 numa:2 core:4 pu:1\", or a name that `vnode topo --gallery` lists";
    CHECK_THROWS_WITH_AS(Machine::from_synthetic(bad), sentence.c_str(), vnode::UsageError);
  }
}

TEST_CASE("a description of more PUs than 4096 is refused before it is built") {
  CHECK(Machine::from_synthetic("pack:4 core:16 pu:2(indexes=128*1)").pus.size() == 128);
  CHECK_THROWS_WITH_AS(Machine::from_synthetic("pu:70000"),
                       "\"pu:70000\" describes more PUs than the 4096 a machine may have", vnode::UsageError);
  for (const std::string bad : {"pack:65536 pu:65537", "70000", "2 70000", "pu:0x100000", "pack:2pu:70000",
                                "pack:2(memory=1GB) pu:70000", "[numa] pu:70000", "pack:2 [numa] 70000",
                                "0494904949", "pack:0494904949", "4949\n4949", "pa(k:992 core:24 pu:2"})
    CHECK_THROWS_WITH_AS(Machine::from_synthetic(bad), doctest::Contains("more PUs than"), vnode::UsageError);
}

TEST_CASE("numbers are written in ranges as taskset writes them") {
  CHECK(vnode::number_ranges({}) == "");
  CHECK(vnode::number_ranges({4}) == "4");
  CHECK(vnode::number_ranges({0, 1, 2, 3, 8, 10, 11}) == "0-3,8,10-11");
}
