#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <set>
#include <thread>

#include <vnode/model/machine.hpp>

#include "child_case.hpp"
#include "machine/binding.hpp"
#include "machine/hwloc.hpp"

using vnode::Machine;

namespace {

/// Returns the value after `key` in /proc/self/status: of the thread that runs the test, which is the only
/// one.
std::string process_status(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key + ":\t")) return line.substr(key.size() + 2);
  return "no " + key;
}

std::vector<int> allowed_os_indices(const Machine& machine) {
  std::vector<int> indices;
  for (const int pu : machine.allowed_pus())
    indices.push_back(machine.pus[static_cast<std::size_t>(pu)].os_index);
  std::ranges::sort(indices);
  return indices;
}

/// Every PU is in exactly one of `parts`, the one its own index names.
template <class Part>
void check_partition(const Machine& machine, const std::vector<Part>& parts, int vnode::Pu::*index) {
  std::size_t members = 0;
  for (std::size_t part = 0; part < parts.size(); ++part)
    for (const int pu : parts[part].pus) {
      ++members;
      CHECK(machine.pus[static_cast<std::size_t>(pu)].*index == static_cast<int>(part));
    }
  CHECK(members == machine.pus.size());
}

}  // namespace

TEST_CASE("child: this machine's allowed PUs are those of /proc/self/status" * doctest::skip()) {
  const Machine machine = Machine::discover();
  CHECK(machine.this_system);
  CHECK(machine.source == "this machine");
  CHECK(vnode::number_ranges(allowed_os_indices(machine)) == process_status("Cpus_allowed_list"));
}

TEST_CASE("child: this machine's allowed NUMA nodes are those of /proc/self/status" * doctest::skip()) {
  std::vector<int> allowed, forbidden;
  for (const vnode::NumaNode& numa : Machine::discover().numas)
    (numa.allowed ? allowed : forbidden).push_back(numa.os_index);
  std::ranges::sort(allowed);
  std::ranges::sort(forbidden);
  CHECK(vnode::number_ranges(allowed) == process_status("Mems_allowed_list"));
  CHECK(vnode::forbidden_memory() == forbidden);
}

// In processes that the environment tells of no other machine.
TEST_CASE("this machine's PUs and NUMA nodes are allowed as the system says") {
  check_case_passes("", "child: *allowed PUs are *");
  check_case_passes("", "child: *allowed NUMA nodes are *");
}

TEST_CASE("this machine's PUs are divided among cores and packages") {
  const Machine machine = Machine::discover();
  check_partition(machine, machine.cores, &vnode::Pu::core);
  check_partition(machine, machine.packages, &vnode::Pu::package);
  for (std::size_t pu = 0; pu < machine.pus.size(); ++pu) {
    const auto& near = machine.numas[static_cast<std::size_t>(machine.pus[pu].numa)].pus;
    CHECK(std::ranges::binary_search(near, static_cast<int>(pu)));
  }
  std::set<int> os_indices;
  for (const vnode::Pu& pu : machine.pus) os_indices.insert(pu.os_index);
  CHECK(os_indices.size() == machine.pus.size());
}

TEST_CASE("what a thread is bound to is not what the process may use, and stays as it is") {
  const Machine before = Machine::discover();
  const std::vector<int> all = vnode::process_affinity();
  CHECK(all == allowed_os_indices(before));
  for (const int pu : all) {
    std::thread([&] {
      REQUIRE(vnode::set_thread_affinity({pu}));
      CHECK(Machine::discover() == before);
      CHECK(vnode::thread_affinity() == std::vector{pu});
      {
        const auto free = vnode::with_process_affinity();
        CHECK(vnode::thread_affinity() == all);
        std::thread([&] { CHECK(vnode::thread_affinity() == all); }).join();
      }
      CHECK(vnode::thread_affinity() == std::vector{pu});
    }).join();
  }
  CHECK(Machine::discover() == before);
}

TEST_CASE("child: the process may use what it was started with" * doctest::skip()) {
  const std::vector<int> all = vnode::process_affinity();
  CHECK(all.size() == 1);
  CHECK(allowed_os_indices(Machine::discover()) == all);
}

TEST_CASE("taskset is obeyed") {
  for (const int pu : vnode::process_affinity())
    check_case_passes("taskset -c " + std::to_string(pu),
                      "child: the process may use what it was started with");
}

TEST_CASE("a thread that vnode has pinned still sees the PUs that it had before") {
  const Machine before = Machine::discover();
  const vnode::PinnedThread pinned(
      before.pus[static_cast<std::size_t>(before.allowed_pus().front())].os_index);
  CHECK(Machine::discover() == before);
}
