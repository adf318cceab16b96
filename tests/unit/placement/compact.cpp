#include <algorithm>
#include <doctest/doctest.h>
#include <set>

#include <vnode/error.hpp>
#include <vnode/model/placement.hpp>

using vnode::compact_mapping;
using vnode::Machine;
using vnode::Mapping;

namespace {

/// Only the PUs listed.
Machine restricted(Machine machine, const std::vector<int>& allowed) {
  for (std::size_t pu = 0; pu < machine.pus.size(); ++pu)
    machine.pus[pu].allowed = std::ranges::count(allowed, static_cast<int>(pu)) > 0;
  return machine;
}

std::vector<Machine> machines() {
  std::vector<Machine> all;
  for (const char* text : {"1", "pu:3", "pack:2 numa:2 core:4 pu:2", "pack:2 numa:2 core:4 pu:1",
                           "pack:2 [numa] l3:2 core:3 pu:2", "pack:1 core:5 pu:4",
                           "[numa] pack:3 [numa] core:2 pu:2", "pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)"})
    all.push_back(Machine::from_synthetic(text));
  const Machine large = all[2];
  all.push_back(restricted(large, {5}));
  all.push_back(restricted(large, {1, 2, 3, 9, 12, 13, 31}));
  all.push_back(Machine::discover());
  return all;
}

/// The number of times consecutive ranks are in different parts: one less than the parts used, if each is
/// filled before the next.
template <class Part>
void check_no_return(const Mapping& mapping, const std::vector<Part>& parts) {
  std::vector<int> visits;
  for (const int pu : mapping.pu) {
    const auto part =
        std::ranges::find_if(parts, [&](const Part& p) { return std::ranges::count(p.pus, pu) > 0; });
    if (part == parts.end()) continue;
    const int index = static_cast<int>(part - parts.begin());
    if (visits.empty() || visits.back() != index) visits.push_back(index);
  }
  CHECK(std::set<int>(visits.begin(), visits.end()).size() == visits.size());
}

}  // namespace

TEST_CASE("for every p up to 3 x PUs, nodes are balanced over the allowed PUs, cores first") {
  for (const Machine& machine : machines()) {
    CAPTURE(machine.source);
    const std::vector<int> allowed = machine.allowed_pus();
    const int pus = static_cast<int>(allowed.size());
    const int cores = machine.allowed_cores();
    for (int nodes = 1; nodes <= 3 * pus; ++nodes) {
      CAPTURE(nodes);
      const Mapping mapping = compact_mapping(machine, nodes);
      REQUIRE(static_cast<int>(mapping.pu.size()) == nodes);

      std::vector<int> on_pu(machine.pus.size()), on_core(machine.cores.size());
      for (const int pu : mapping.pu) {
        CHECK(std::ranges::binary_search(allowed, pu));
        ++on_pu[static_cast<std::size_t>(pu)];
        ++on_core[static_cast<std::size_t>(machine.pus[static_cast<std::size_t>(pu)].core)];
      }
      const auto load = [&](int pu) { return on_pu[static_cast<std::size_t>(pu)]; };
      const int most = load(std::ranges::max(allowed, {}, load));
      CHECK(most - load(std::ranges::min(allowed, {}, load)) <= 1);
      if (nodes <= pus) CHECK(most == 1);
      const auto used = on_core.size() - static_cast<std::size_t>(std::ranges::count(on_core, 0));
      CHECK(static_cast<int>(used) == std::min(nodes, cores));
      CHECK(mapping.cores_used == static_cast<int>(used));
      CHECK(mapping.own_core == (std::ranges::max(on_core) == 1));
    }
  }
}

TEST_CASE("each core, L3, NUMA node and package is filled before the next") {
  for (const Machine& machine : machines()) {
    CAPTURE(machine.source);
    std::vector<vnode::NumaNode> nearest(machine.numas.size());
    for (std::size_t pu = 0; pu < machine.pus.size(); ++pu)
      nearest[static_cast<std::size_t>(machine.pus[pu].numa)].pus.push_back(static_cast<int>(pu));
    std::vector<vnode::Cache> l3;
    std::ranges::copy_if(machine.caches, std::back_inserter(l3),
                         [](const auto& cache) { return cache.level == 3; });
    for (int nodes = 1; nodes <= 3 * static_cast<int>(machine.pus.size()); ++nodes) {
      CAPTURE(nodes);
      const Mapping mapping = compact_mapping(machine, nodes);
      check_no_return(mapping, machine.cores);
      check_no_return(mapping, l3);
      check_no_return(mapping, nearest);
      check_no_return(mapping, machine.packages);
      CHECK(std::ranges::is_sorted(mapping.pu));
    }
  }
}

TEST_CASE("a few nodes stay in the first package, and take no second PU while a core is free") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:2 core:2 pu:2");
  CHECK(compact_mapping(machine, 3) == Mapping{.pu = {0, 2, 4}, .own_core = true, .cores_used = 3});
  CHECK(compact_mapping(machine, 8) ==
        Mapping{.pu = {0, 2, 4, 6, 8, 10, 12, 14}, .own_core = true, .cores_used = 8});
  CHECK(compact_mapping(machine, 10) ==
        Mapping{.pu = {0, 1, 2, 3, 4, 6, 8, 10, 12, 14}, .own_core = false, .cores_used = 8});
  const Machine two = Machine::from_synthetic("core:2 pu:1");
  CHECK(compact_mapping(two, 5) == Mapping{.pu = {0, 0, 0, 1, 1}, .own_core = false, .cores_used = 2});
}

TEST_CASE("no nodes, or no PU to put them on, is the caller's error") {
  const Machine machine = Machine::from_synthetic("pu:2");
  CHECK_THROWS_WITH_AS(compact_mapping(machine, 0), "cannot map 0 nodes: at least 1 is needed",
                       vnode::UsageError);
  CHECK_THROWS_AS(compact_mapping(machine, -1), vnode::UsageError);
  CHECK_THROWS_WITH_AS(compact_mapping(restricted(machine, {}), 1),
                       "cannot map nodes to a machine without an allowed PU", vnode::UsageError);
}
