// Tests teams that find no memory while they start.
#include <doctest/doctest.h>
#include <string>

#include <vnode/vnode.hpp>

#include "failing_allocation.hpp"

using namespace vnode_test;

namespace {

/// Returns whether the team was made and works; the sentence of the SystemError otherwise.
std::string made() {
  try {
    vnode::Team team(4);
    fail_allocation(0);
    fail_allocation_in_threads(0);
    return "made";
  } catch (const vnode::SystemError& error) {
    fail_allocation(0);
    fail_allocation_in_threads(0);
    return error.what();
  }
}

}  // namespace

TEST_CASE("a team whose constructor finds no memory is not made, and says so") {
  { const vnode::Team team(4); }
  int refused = 0;
  for (std::string text; text != "made"; ++refused) {
    REQUIRE(refused < 10000);
    fail_allocation(refused + 1);
    text = made();
    CHECK((text == "made" || text.find("memory") != std::string::npos));
  }
  CHECK(refused > 20);
}

TEST_CASE("a team whose threads find no memory when they start is not made, and says so") {
  { const vnode::Team team(4); }
  int refused = 0;
  for (std::string text; text != "made"; ++refused) {
    REQUIRE(refused < 1000);
    fail_allocation_in_threads(refused + 1);
    text = made();
    CHECK((text == "made" || text.find("memory") != std::string::npos));
  }
  CHECK(refused > 1);
}
