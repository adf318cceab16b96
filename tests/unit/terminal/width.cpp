#include "terminal/width.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <initializer_list>

TEST_CASE("COLUMNS says how wide a table may be, if it is a number that tables can have") {
  REQUIRE(setenv("COLUMNS", "80", 1) == 0);
  CHECK(vnode::terminal_width() == 80);
  REQUIRE(setenv("COLUMNS", "132", 1) == 0);
  CHECK(vnode::terminal_width() == 132);
  for (const char* const none : {"", "0", "-80", "80x", "many", "7", "99999999999999999999999"}) {
    REQUIRE(setenv("COLUMNS", none, 1) == 0);
    CHECK(vnode::terminal_width() >= 40);
    CHECK(vnode::terminal_width() < 10'000);
  }
  unsetenv("COLUMNS");
}
