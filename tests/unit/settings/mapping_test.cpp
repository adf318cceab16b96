#include <cstdlib>
#include <doctest/doctest.h>
#include <string>

#include <vnode/model/mapping_policy.hpp>
#include <vnode/vnode.hpp>

#include "machine/binding.hpp"
#include "sentence.hpp"

using namespace vnode;
using vnode_test::says;
using vnode_test::Variable;

namespace {

std::string refused(int nodes, const TeamOptions& options) {
  try {
    Team team(nodes, shapes::hypercube{}, options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing";
}

}

TEST_CASE("a team's nodes run where the policy that is named puts them") {
  const Machine machine = Machine::discover();
  for (const char* name : {"compact", "scatter", "round_robin_numa", "ring_order", "subcubes", "optimised"}) {
    CAPTURE(name);
    TeamOptions options;
    options.mapping = name;
    Team team(4, shapes::hypercube{}, options);
    CHECK(says(team, "mapping: " + std::string(name) + "\n"));
    const Mapping mapping = mapping_by(machine, team.topology(), name);
    team.run([&](Node& me) {
      const auto pu = static_cast<std::size_t>(mapping.pu[static_cast<std::size_t>(me.rank())]);
      CHECK(thread_affinity() == std::vector{machine.pus[pu].os_index});
      std::vector<int> x(100, me.rank());
      me.broadcast(x, 0);
      CHECK(x.back() == 0);
    });
  }
}

TEST_CASE("the report names the usual mapping, and that of given PUs") {
  CHECK(says(Team(2), "mapping: compact\n"));
  TeamOptions options;
  options.pus.assign(2, Machine::discover().allowed_pus().front());
  CHECK(says(Team(2, shapes::full{}, options), "mapping: given\n"));
}

TEST_CASE("the environment overrides a team's mapping, but not PUs that it is given one by one") {
  const Variable variable("VNODE_MAPPING", "scatter");
  TeamOptions options;
  options.mapping = "compact";
  const Team team(2, shapes::full{}, options);
  CHECK(says(team, "mapping: scatter\n"));
  CHECK(says(team, "from the environment: VNODE_MAPPING=scatter\n"));
  options.mapping.clear();
  options.pus.assign(2, Machine::discover().allowed_pus().front());
  CHECK(says(Team(2, shapes::full{}, options), "mapping: given\n"));
}

TEST_CASE("a mapping that there is not, or that cannot be, is refused") {
  TeamOptions options;
  options.mapping = "dense";
  CHECK(refused(2, options).starts_with("there is no mapping \"dense\": compact, "));
  const Machine machine = Machine::discover();
  const int usable = machine.pus[static_cast<std::size_t>(machine.allowed_pus().front())].os_index;
  options.mapping = std::to_string(usable);
  CHECK(refused(2, options) == "\"" + options.mapping + "\" lists 1 PU: 2 nodes need 2");
  options.mapping = "compact";
  options.pus = {0, 0};
  CHECK(refused(2, options) ==
        "TeamOptions::pus and the mapping \"compact\" both say where nodes run: give one of them");
  const Variable variable("VNODE_MAPPING", "dense");
  CHECK(refused(2, {}).starts_with("VNODE_MAPPING: there is no mapping \"dense\": compact, scatter, "));
  options.mapping.clear();  // PUs are given one by one: the variable is none the better for it
  CHECK(refused(2, options).starts_with("VNODE_MAPPING: there is no mapping \"dense\": compact, scatter, "));
}
