// Tests that sentences name what vnode.h names.
#include <doctest/doctest.h>
#include <string>

#include <vnode/vnode.h>

#include "teams.hpp"

using namespace vnode_test;

TEST_CASE("sentences of the C++ library name operators, options and functions as vnode.h does") {
  const CTeam team(2);
  CHECK(team.run([](vnode_node* me) {
    double x = 1;
    const vnode_operator op = vnode_group_rank(me) == 0 ? VNODE_SUM : VNODE_MAX;
    return vnode_all_reduce(me, &x, &x, 1, VNODE_F64, op, nullptr);
  }) == VNODE_ERROR_MISMATCH);
  const std::string differ = vnode_message();
  CHECK(differ.find("VNODE_SUM") != std::string::npos);
  CHECK(differ.find("VNODE_MAX") != std::string::npos);
  CHECK(differ.find("::") == std::string::npos);
  vnode_membership* membership = nullptr;
  CHECK(vnode_team_join(team, 0, &membership, nullptr) == VNODE_ERROR_USAGE);
  CHECK(std::string(vnode_message()) ==
        "vnode_team_join() of a team that has threads of its own: it can vnode_team_run(); a team made with "
        "VNODE_THREADS_CALLERS can be joined");
}

TEST_CASE("an algorithm is named in a call without its operation") {
  const CTeam team(4);
  CHECK(wrong(team.run([](vnode_node* me) {
          vnode_call_options options{};
          options.size = sizeof options;
          options.algorithm = "linear";
          int x = 7;
          return vnode_broadcast(me, &x, 1, VNODE_I32, 0, &options);
        })) == "");
}
