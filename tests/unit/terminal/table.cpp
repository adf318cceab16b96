#include "terminal/table.hpp"

#include <doctest/doctest.h>

using namespace vnode;

TEST_CASE("columns are as wide as their widest cell, the first at the left") {
  CHECK(table({{"name", "us"}, {"a", "1.25"}}) == "name    us\na     1.25\n");
  CHECK(table({{"a", "bc", "d"}, {"ef", "g", "hi"}}, 2) == "a   bc   d\nef  g   hi\n");
  CHECK(table({{"a", ""}, {"b", "c"}}) == "a\nb  c\n");
  CHECK(table({}).empty());
}
