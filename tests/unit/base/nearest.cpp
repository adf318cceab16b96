#include "base/nearest.hpp"

#include <array>
#include <doctest/doctest.h>

using vnode::nearest_names;
using Names = std::vector<std::string_view>;

TEST_CASE("the names that somebody may have meant come nearest first, and are few") {
  const std::array<std::string_view, 8> names{"broadcast", "reduce",    "barrier",       "all_reduce",
                                              "scan",      "scatter_a", "circular_gray", "scatter_b"};
  CHECK(nearest_names("brodcast", names) == Names{"broadcast"});
  CHECK(nearest_names("reduc", names) == Names{"reduce", "all_reduce"});
  CHECK(nearest_names("gray", names) == Names{"circular_gray"});
  CHECK(nearest_names("scatter_c", names) == Names{"scatter_a", "scatter_b"});
  CHECK(nearest_names("hypercubical", names).size() == 3);
  CHECK(nearest_names("x", {}).empty());
}
