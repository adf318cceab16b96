#include <doctest/doctest.h>

#include "draw/geometry.hpp"

using vnode::spread;
using Positions = std::vector<double>;

TEST_CASE("what is far enough apart stays where it is") {
  CHECK(spread({1, 5, 9}, 2, 0, 10) == Positions{1, 5, 9});
  CHECK(spread({}, 2, 0, 10).empty());
}

TEST_CASE("what is too near is pushed apart evenly") {
  CHECK(spread({5, 5}, 2, 0, 10) == Positions{4, 6});
  CHECK(spread({5, 5, 5, 20}, 2, 0, 30) == Positions{3, 5, 7, 20});
  const Positions pushed = spread({5, 6, 7.5}, 2, 0, 30);
  for (const std::size_t i : {0u, 1u, 2u})
    CHECK(pushed[i] == doctest::Approx(25.0 / 6 + 2.0 * static_cast<double>(i)));
}

TEST_CASE("nothing leaves the room") {
  CHECK(spread({0, 0, 0}, 2, 0, 10) == Positions{0, 2, 4});
  CHECK(spread({10, 10, 10}, 2, 0, 10) == Positions{6, 8, 10});
  CHECK(spread({0, 0, 9, 10}, 3, 0, 10) == Positions{0, 3, 7, 10});
}
