#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/pages.hpp>

#include "child_case.hpp"
#include "machine/binding.hpp"
#include "two_packages.hpp"

// hwloc reads its environment once in a process, so each of these cases is a process: the skipped cases
// below, which the others start.
using vnode::Machine;

namespace {

/// Describes what Linux tells in files of a machine with PUs 0 and 1, PU 2 being offline, near NUMA node 0,
/// and with NUMA node 1, which has no CPUs. Gone with the object.
struct FilesOfLinux {
  const std::filesystem::path root =
      std::filesystem::temp_directory_path() / ("vnode_files_of_linux_" + std::to_string(getpid()));
  FilesOfLinux() {
    put("cpu/online", "0-1");
    put("cpu/possible", "0-2");
    put("cpu/present", "0-2");
    put("cpu/cpu2/online", "0");
    for (const std::string pu : {"0", "1"}) {
      put("cpu/cpu" + pu + "/topology/core_id", pu);
      put("cpu/cpu" + pu + "/topology/physical_package_id", "0");
      put("cpu/cpu" + pu + "/topology/thread_siblings", pu == "0" ? "1" : "2");
      put("cpu/cpu" + pu + "/topology/core_siblings", "3");
    }
    put("node/online", "0-1");
    put("node/node0/cpumap", "3");
    put("node/node0/meminfo", "Node 0 MemTotal: 1024 kB");
    put("node/node0/distance", "10 17");
    put("node/node1/cpumap", "0");
    put("node/node1/meminfo", "Node 1 MemTotal: 2048 kB");
    put("node/node1/distance", "17 10");
  }
  ~FilesOfLinux() { std::filesystem::remove_all(root); }
  FilesOfLinux(const FilesOfLinux&) = delete;
  FilesOfLinux& operator=(const FilesOfLinux&) = delete;

 private:
  void put(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = root / "sys/devices/system" / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
};

/// Returns the memory policy of the pages at `address`, as the kernel tells it: "default", "prefer:0", …
std::string policy_of(const std::byte* address) {
  std::ostringstream key;
  key << std::hex << reinterpret_cast<std::uintptr_t>(address) << ' ';
  std::ifstream maps("/proc/self/numa_maps");
  for (std::string line; std::getline(maps, line);)
    if (line.starts_with(key.str()))
      return line.substr(key.str().size(), line.find(' ', key.str().size()) - key.str().size());
  return "unknown";
}

}  // namespace

TEST_CASE("HWLOC_XMLFILE and HWLOC_SYNTHETIC replace this machine by one that is not pinned") {
  check_case_passes("HWLOC_XMLFILE='" + two_packages_xml + "'", "child: the XML file is the machine");
  check_case_passes("HWLOC_SYNTHETIC='pack:2 core:3 pu:1'",
                    "child: the synthetic description is the machine");
  check_case_passes("HWLOC_XMLFILE= HWLOC_SYNTHETIC=", "*allowed PUs are those of /proc/self/status");
}

TEST_CASE("a bad HWLOC_XMLFILE or HWLOC_SYNTHETIC is an error, not this machine") {
  check_case_passes("HWLOC_XMLFILE=/no/such.xml", "child: the XML file is missing");
  check_case_passes("HWLOC_SYNTHETIC=foo:2", "child: the synthetic description is wrong");
}

TEST_CASE("HWLOC_THISSYSTEM vouches for a file: its PUs are allowed as far as the thread may use them") {
  check_case_passes("HWLOC_THISSYSTEM=1 HWLOC_XMLFILE='" + two_packages_xml + "'",
                    "child: the XML file is this system");
}

TEST_CASE("NUMA nodes that are vouched for but that this system has not are forbidden by nobody") {
  check_case_passes("HWLOC_THISSYSTEM=1 HWLOC_SYNTHETIC='numa:40 pu:1'",
                    "child: NUMA nodes beyond those of the system are allowed");
}

TEST_CASE("HWLOC_COMPONENTS says how this machine is looked at, and nothing of others") {
  check_case_passes("HWLOC_COMPONENTS=-linux", "child: a file and a description are what they are");
  check_case_passes("HWLOC_COMPONENTS=no_os,stop", "child: a file and a description are what they are");
  check_case_passes("HWLOC_COMPONENTS=no_os,stop", "child: cores and caches are unknown");
}

TEST_CASE("HWLOC_FSROOT gives a machine from copies of its files, which is not pinned") {
  const FilesOfLinux files;
  check_case_passes("HWLOC_COMPONENTS=linux,stop HWLOC_FSROOT=" + files.root.string(),
                    "child: the machine is that of the files");
}

TEST_CASE("child: NUMA nodes beyond those of the system are allowed" * doctest::skip()) {
  const Machine machine = Machine::discover();
  REQUIRE(machine.numas.size() == 40);
  CHECK(machine.numas.back().allowed);
}

TEST_CASE("child: a file and a description are what they are" * doctest::skip()) {
  CHECK(Machine::from_xml(two_packages_xml).caches.size() == 20);
  CHECK(Machine::from_synthetic("pack:2 core:3 pu:1").cores.size() == 6);
}

TEST_CASE("child: cores and caches are unknown" * doctest::skip()) {
  const Machine machine = Machine::discover();
  CHECK(machine.caches.empty());
  CHECK(machine.cores.size() == machine.pus.size());
  CHECK(machine.cores[0].os_index == -1);
}

TEST_CASE("child: the machine is that of the files" * doctest::skip()) {
  const Machine machine = Machine::discover();
  CHECK_FALSE(machine.this_system);
  CHECK(machine.source.starts_with("HWLOC_FSROOT="));
  REQUIRE(machine.pus.size() == 2);
  CHECK(machine.offline == std::vector{2});
  REQUIRE(machine.numas.size() == 2);
  CHECK(machine.numas[0].pus == std::vector{0, 1});
  CHECK(machine.numas[1] ==
        vnode::NumaNode{
            .os_index = 1, .bytes = 2 << 20, .pus = {}, .allowed = true, .kind = "", .cache_bytes = 0});
  CHECK(machine.distances == std::vector<std::vector<std::uint64_t>>{{10, 17}, {17, 10}});
}

TEST_CASE("child: the XML file is the machine" * doctest::skip()) {
  const Machine machine = Machine::discover();
  CHECK_FALSE(machine.this_system);
  CHECK(machine.source == "HWLOC_XMLFILE=" + two_packages_xml);
  CHECK(machine.pus.size() == 16);
  CHECK(machine.allowed_pus().size() == 16);
  const std::vector<int> affinity = vnode::thread_affinity();
  {
    const vnode::PinnedThread pinned(affinity.back());
    CHECK(vnode::current_pu() == affinity.back());
  }
  CHECK(vnode::thread_affinity() == affinity);
}

TEST_CASE("child: the synthetic description is the machine" * doctest::skip()) {
  const Machine machine = Machine::discover();
  CHECK_FALSE(machine.this_system);
  CHECK(machine.source == "HWLOC_SYNTHETIC=pack:2 core:3 pu:1");
  CHECK(machine.pus.size() == 6);
}

TEST_CASE("child: the XML file is missing" * doctest::skip()) {
  CHECK_THROWS_WITH_AS(Machine::discover(),
                       "HWLOC_XMLFILE: cannot read /no/such.xml: No such file or directory",
                       vnode::SystemError);
}

TEST_CASE("child: the synthetic description is wrong" * doctest::skip()) {
  CHECK_THROWS_WITH_AS(Machine::discover(),
                       doctest::Contains("HWLOC_SYNTHETIC: \"foo:2\" describes no machine"),
                       vnode::UsageError);
}

TEST_CASE("child: the XML file is this system" * doctest::skip()) {
  const Machine machine = Machine::discover();
  CHECK(machine.this_system);
  CHECK(machine.pus.size() == 16);
  const std::vector<int> affinity = vnode::thread_affinity();
  for (const int pu : machine.allowed_pus())
    CHECK(std::ranges::binary_search(affinity, machine.pus[static_cast<std::size_t>(pu)].os_index));

  // The file has two NUMA nodes, so pages are bound; the kernel knows whether this machine has the second.
  const vnode::Pages first(4096, {.policy = vnode::PagePolicy::preferred, .banks = {0}});
  if (first.degraded().empty()) CHECK(policy_of(first.data()).starts_with("prefer"));
  const vnode::Pages second(4096, {.policy = vnode::PagePolicy::preferred, .banks = {1}});
  if (second.degraded().empty()) CHECK(policy_of(second.data()).starts_with("prefer"));
  second.data()[0] = std::byte{1};
  CHECK_FALSE(Machine::from_xml(two_packages_xml).this_system);
}
