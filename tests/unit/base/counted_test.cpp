#include "base/counted.hpp"

#include <cstddef>
#include <doctest/doctest.h>

using vnode::counted;

TEST_CASE("one thing is singular, all other numbers of them are plural") {
  CHECK(counted(0, "round") == "0 rounds");
  CHECK(counted(1, "round") == "1 round");
  CHECK(counted(std::size_t{2}, "round") == "2 rounds");
}
