#include "terminal/nearest.hpp"

#include <array>
#include <doctest/doctest.h>

using vnode::nearest_names;
using Names = std::vector<std::string_view>;

TEST_CASE("the names that somebody may have meant come nearest first, and are few") {
  const std::array<std::string_view, 4> names{"broadcast", "reduce", "barrier", "all_reduce"};
  CHECK(nearest_names("brodcast", names, 1) == Names{"broadcast"});
  CHECK(nearest_names("allreduce", names, 2) == Names{"all_reduce", "reduce"});
  CHECK(nearest_names("", names, 2) == Names{"reduce", "barrier"});
  CHECK(nearest_names("barrier", names, 9).size() == 4);
  CHECK(nearest_names("x", {}).empty());
}
