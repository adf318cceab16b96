#include <doctest/doctest.h>
#include <set>
#include <string>
#include <vector>

#include <vnode/vnode.hpp>

#include "place_of.hpp"
#include "sentence.hpp"

using namespace vnode;

namespace {

/// Each node is where the mapping has it, before and after it has waited for all others.
void check_places(Team& team, const Machine& machine, const Mapping& mapping) {
  team.run([&](Node& me) {
    const kernel::Place expected = place_of(machine, mapping, me.rank());
    for (int step = 0; step < 3; ++step) {
      const kernel::Place place = kernel::here();
      CHECK(place.pu == expected.pu);
      CHECK(place.numa == expected.numa);
      int sum[1] = {1};
      me.all_reduce(sum, std::plus<>{});
      CHECK(sum[0] == me.size());
    }
  });
}

}  // namespace

TEST_CASE("every node runs on the PU and NUMA node of the compact mapping, one to each PU and two") {
  const Machine machine = Machine::discover();
  const int pus = static_cast<int>(machine.pus.size());
  for (const int nodes : {1, 2, 3, pus - 1, pus, 2 * pus})
    for (const bool apart : {false, true}) {
      CAPTURE(nodes);
      TeamOptions options = vnode_test::patient();
      options.apart = apart;
      Team team(nodes, shapes::full{}, options);
      check_places(team, machine, compact_mapping(machine, nodes));
    }
}

TEST_CASE("nodes run on one PU of each NUMA node where they are told to") {
  const Machine machine = Machine::discover();
  TeamOptions options = vnode_test::patient();
  std::set<int> numas;
  for (std::size_t pu = machine.pus.size(); pu-- > 0;)
    if (numas.insert(machine.pus[pu].numa).second) options.pus.push_back(static_cast<int>(pu));
  REQUIRE(options.pus.size() == 4);
  Team team(4, shapes::ring{}, options);
  check_places(team, machine, given_mapping(machine, options.pus));
}

TEST_CASE("as many nodes as cores have a core each") {
  const Machine machine = Machine::discover();
  const int cores = machine.allowed_cores();
  std::vector<unsigned> pu(static_cast<std::size_t>(cores));
  Team team(cores, shapes::full{}, vnode_test::patient());
  team.run([&](Node& me) { pu[static_cast<std::size_t>(me.rank())] = kernel::here().pu; });
  std::set<std::string> used;
  for (const unsigned number : pu) used.insert(kernel::siblings_of(number));
  CHECK(used.size() == pu.size());
}

TEST_CASE("packages, NUMA nodes and cores divide a team as they divide the machine") {
  const Machine machine = Machine::discover();
  Team team(static_cast<int>(machine.pus.size()), shapes::full{}, vnode_test::patient());
  team.run([&](Node& me) {
    const kernel::Place place = kernel::here();
    const auto near = static_cast<int>(kernel::pus_of(static_cast<int>(place.numa)).size());
    const auto siblings = static_cast<int>(kernel::numbers_of(kernel::siblings_of(place.pu)).size());
    CHECK(me.split(Domain::package).size() == near);
    CHECK(me.split(Domain::numa).size() == near);
    CHECK(me.split(Domain::core).size() == siblings);
  });
}
