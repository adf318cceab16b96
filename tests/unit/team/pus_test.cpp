#include <doctest/doctest.h>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/vnode.hpp>

#include "machine/binding.hpp"

using namespace vnode;

namespace {

/// Returns an allowed PU for each node, the last allowed one first.
std::vector<int> backwards(const Machine& machine, int nodes) {
  const std::vector<int> allowed = machine.allowed_pus();
  std::vector<int> pus;
  for (int i = 0; i < nodes; ++i)
    pus.push_back(allowed[allowed.size() - 1 - static_cast<std::size_t>(i) % allowed.size()]);
  return pus;
}

}

TEST_CASE("nodes run on the PUs that a team is given, several on one if it says so") {
  const Machine machine = Machine::discover();
  for (const int nodes : {1, 2, 3}) {
    TeamOptions options;
    options.pus = backwards(machine, nodes);
    Team team(nodes, shapes::full{}, options);
    team.run([&](Node& me) {
      const int pu = options.pus[static_cast<std::size_t>(me.rank())];
      CHECK(thread_affinity() == std::vector{machine.pus[static_cast<std::size_t>(pu)].os_index});
      std::vector<int> x(100, me.rank());
      me.broadcast(x, 0);
      CHECK(x.back() == 0);
    });
  }
}

TEST_CASE("a team is given as many PUs as nodes, and such as there are") {
  TeamOptions options;
  options.pus = {Machine::discover().allowed_pus().front()};
  CHECK_THROWS_WITH_AS(
      Team(2, shapes::full{}, options),
      "TeamOptions::pus names 1 PU: 2 would be right, one for each node, or none for the compact mapping",
      UsageError);
  options.pus = {static_cast<int>(Machine::discover().pus.size())};
  CHECK_THROWS_AS(Team(1, shapes::full{}, options), UsageError);
}
