// Where threads that join a team run, by what they are bound to.
#include "team/joined_mapping.hpp"

#include <algorithm>
#include <cstddef>
#include <doctest/doctest.h>
#include <random>
#include <set>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/model/placement.hpp>

#include "base/at.hpp"

using vnode::at;
using vnode::joined_mapping;
using vnode::Machine;
using vnode::Mapping;
using Affinities = std::vector<std::vector<int>>;

namespace {

int core_of(const Machine& machine, int pu) { return at(machine.pus, pu).core; }

/// Returns whether nodes from `node` on can have cores of their own beside those that are taken, by trying
/// all.
bool can_have_own(const Machine& machine, const Affinities& affinities, std::size_t node,
                  std::set<int>& taken) {
  if (node == affinities.size()) return true;
  for (const int pu : affinities[node]) {
    const int core = core_of(machine, pu);
    if (!taken.insert(core).second) continue;
    if (can_have_own(machine, affinities, node + 1, taken)) return true;
    taken.erase(core);
  }
  return false;
}

}  // namespace

TEST_CASE("threads that may be where the options have them are there") {
  const Machine machine = Machine::from_synthetic("core:4 pu:2");
  const Mapping usual = vnode::compact_mapping(machine, 3);
  CHECK(joined_mapping(machine, usual, Affinities(3, {0, 1, 2, 3, 4, 5, 6, 7})) == usual);
  CHECK(joined_mapping(machine, usual, {{0}, {2, 3}, {1, 4}}) == usual);
}

TEST_CASE("threads that are bound elsewhere are there") {
  const Machine machine = Machine::from_synthetic("core:4 pu:2");
  const Mapping usual = vnode::compact_mapping(machine, 2);
  CHECK(joined_mapping(machine, usual, {{6}, {4}}) ==
        Mapping{.pu = {6, 4}, .own_core = true, .cores_used = 2});
  CHECK(joined_mapping(machine, usual, {{7}, {6}}) ==
        Mapping{.pu = {7, 6}, .own_core = false, .cores_used = 1});
  CHECK(joined_mapping(machine, usual, {{5}, {5}}) ==
        Mapping{.pu = {5, 5}, .own_core = false, .cores_used = 1});
  // The first gives way to the second.
  CHECK(joined_mapping(machine, usual, {{2, 4}, {2, 3}}).own_core);
  // A thread of which nothing is known is where it would be.
  CHECK(joined_mapping(machine, usual, {{4}, {}}) ==
        Mapping{.pu = {4, 2}, .own_core = true, .cores_used = 2});
}

TEST_CASE("who cannot have a core shares the PU that the fewest use") {
  const Machine machine = Machine::from_synthetic("core:2 pu:1");
  const Mapping usual{.pu = {0, 0, 0, 1}, .own_core = false, .cores_used = 2};
  const Mapping mapping = joined_mapping(machine, usual, {{1}, {0, 1}, {0, 1}, {0, 1}});
  CHECK(mapping.pu.front() == 1);
  CHECK(std::ranges::count(mapping.pu, 0) == 2);
}

TEST_CASE("every node has a core of its own exactly if all can, and is where it may be") {
  std::mt19937 random(7);
  for (const char* description : {"core:1 pu:1", "core:2 pu:2", "core:5 pu:1", "pack:2 core:3 pu:2"}) {
    const Machine machine = Machine::from_synthetic(description);
    const auto pus = static_cast<int>(machine.pus.size());
    for (int round = 0; round < 300; ++round) {
      const int nodes = std::uniform_int_distribution(1, 6)(random);
      Affinities affinities(static_cast<std::size_t>(nodes));
      for (std::vector<int>& of : affinities) {
        std::set<int> some{std::uniform_int_distribution(0, pus - 1)(random)};
        while (std::uniform_int_distribution(0, 2)(random) == 0)
          some.insert(std::uniform_int_distribution(0, pus - 1)(random));
        of.assign(some.begin(), some.end());
      }
      const Mapping mapping = joined_mapping(machine, vnode::compact_mapping(machine, nodes), affinities);
      std::set<int> taken, cores;
      for (int node = 0; node < nodes; ++node) {
        CHECK(std::ranges::binary_search(at(affinities, node), at(mapping.pu, node)));
        cores.insert(core_of(machine, at(mapping.pu, node)));
      }
      CHECK(mapping.cores_used == static_cast<int>(cores.size()));
      CHECK(mapping.own_core == can_have_own(machine, affinities, 0, taken));
    }
  }
}
