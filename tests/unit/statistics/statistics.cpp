#include "statistics/statistics.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <numeric>

using namespace vnode;

TEST_CASE("the median of an even number of values lies between the two in the middle") {
  CHECK(median({5, 1, 3}) == 3);
  CHECK(median({5, 1, 3, 4}) == 3.5);
  CHECK(median({7}) == 7);
  CHECK(std::isnan(median({})));
}

TEST_CASE("a quantile is one of the values, by nearest rank") {
  std::vector<double> values(100);
  std::iota(values.rbegin(), values.rend(), 1.0);
  CHECK(quantile(values, 0) == 1);
  CHECK(quantile(values, 0.5) == 50);
  CHECK(quantile(values, 0.99) == 99);
  CHECK(quantile(values, 1) == 100);
  CHECK(quantile({3, 9}, 0.99) == 9);
  CHECK(std::isnan(quantile({}, 0.5)));
}

TEST_CASE("a summary has the least, the middle and the 99th hundredth") {
  const Summary summary = summarise({4, 2, 8});
  CHECK(summary.min == 2);
  CHECK(summary.median == 4);
  CHECK(summary.p99 == 8);
}
