// Tests a program that uses vnode, linked with a library that uses another version of it.
#include <doctest/doctest.h>
#include <functional>
#include <string>

#include <vnode/vnode.hpp>

#include "loaded/plugin.hpp"

TEST_CASE("a program and a library that it is linked with may use two versions of vnode") {
  CHECK(vnode::version() == VNODE_VERSION);
  CHECK(std::string(plugin_version()) == VNODE_NEXT_VERSION);
  CHECK(plugin_operator() != &vnode::operator_type<double, std::plus<>>);
  vnode::Team team{2};
  team.run([](vnode::Node& me) {
    if (me.rank() == 0) CHECK(plugin_works() == 1);  // within a run of the other
    CHECK(me.all_reduce(1.5, std::plus<>{}) == 3.0);
  });
  CHECK(plugin_works() == 1);
}
