#include <cmath>
#include <doctest/doctest.h>

#include "targets/target.hpp"

using namespace vnode;
using namespace vnode::bench;

TEST_CASE("laps are grouped by the line transfer seen in them") {
  const auto seen = regimes({0.12, 0.018, 0.13, 0.35, std::nan("")});
  REQUIRE(seen.size() == 3);
  CHECK(seen[0].laps == std::vector<std::size_t>{1});
  CHECK(seen[1].laps == std::vector<std::size_t>{0, 2});
  CHECK(seen[2].laps == std::vector<std::size_t>{3});
}

TEST_CASE("a bound is the least of what was measured, or else another, lap by lap") {
  const Observation seen{{1, 1}, {1, 1}, {10, 20}, {40, 10}, {}, ""};
  const Term limit{&Observation::limit, 2, 1000}, mpi{&Observation::mpi, 0.5},
      none{&Observation::thread_mpi, 1};
  CHECK(bounds({"", {mpi, none}}, seen) == std::vector<double>{20, 5});
  CHECK(bounds({"", {mpi, limit}}, seen) == std::vector<double>{20, 5});
  CHECK(bounds({"", {mpi}, limit}, seen) == std::vector<double>{21, 41});
  CHECK(bounds({"", {none}, limit}, seen) == std::vector<double>{21, 41});
  CHECK(bounds({"", {none}}, seen).empty());
}

TEST_CASE("figures of the page are there where it has them") {
  CHECK(page_figure("all_reduce", 1 << 20).thread_mpi == 201);
  CHECK(page_figure("broadcast", 8).mpi == .20);
  CHECK_FALSE(page_figure("all_gather", 8).thread_mpi);
  CHECK_FALSE(page_figure("barrier", 0).mpi);
  CHECK_FALSE(page_figure("scan", 48).mpi);
  CHECK(page_copy_us(65536).has_value());
  CHECK_FALSE(page_copy_us(8).has_value());
}

TEST_CASE("a promise is kept at its bound, on the right side of it") {
  Verdict most{.what = "", .target = "", .measured = 2, .bound = 2};
  CHECK(most.met());
  most.measured = 2.1;
  CHECK_FALSE(most.met());
  Verdict least{.what = "", .target = "", .measured = 0.3, .bound = 0.4, .at_least = true};
  CHECK_FALSE(least.met());
  least.measured = 0.4;
  CHECK(least.met());
}
