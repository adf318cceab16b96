#include <doctest/doctest.h>

#include <vnode/error.hpp>
#include <vnode/model/placement.hpp>

using vnode::given_mapping;
using vnode::Machine;
using vnode::Mapping;

TEST_CASE("a given mapping knows how many cores it uses and whether every node has its own") {
  const Machine machine = Machine::from_synthetic("core:2 pu:2");
  CHECK(given_mapping(machine, {3, 0}) == Mapping{.pu = {3, 0}, .own_core = true, .cores_used = 2});
  CHECK(given_mapping(machine, {0, 1}) == Mapping{.pu = {0, 1}, .own_core = false, .cores_used = 1});
  CHECK(given_mapping(machine, {2, 2, 0}) == Mapping{.pu = {2, 2, 0}, .own_core = false, .cores_used = 2});
}

TEST_CASE("a node on a PU that is not there, or not allowed, is refused") {
  Machine machine = Machine::from_synthetic("core:2 pu:2");
  CHECK_THROWS_WITH_AS(given_mapping(machine, {0, 4}),
                       "cannot put node 1 on PU 4: core:2 pu:2 has PUs 0 to 3", vnode::UsageError);
  CHECK_THROWS_AS(given_mapping(machine, {-1}), vnode::UsageError);
  machine.pus[2].allowed = false;
  CHECK_THROWS_WITH_AS(given_mapping(machine, {0, 2}),
                       "cannot put node 1 on PU 2: the process may use PUs 0-1,3 only", vnode::SystemError);
}
