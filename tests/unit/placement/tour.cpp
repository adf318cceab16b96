#include "placement/tour.hpp"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <numeric>

using namespace vnode;

namespace {

double length(const std::vector<int>& tour, const PlaceDistance& distance) {
  double sum = distance(tour.back(), tour.front());
  for (std::size_t i = 1; i < tour.size(); ++i) sum += distance(tour[i - 1], tour[i]);
  return sum;
}

}  // namespace

TEST_CASE("a tour of a square is the way round it") {
  const std::vector<int> tour = short_tour(4, true, [](int a, int b) { return (a ^ b) == 3 ? 14.0 : 10.0; });
  CHECK(tour == std::vector{0, 1, 3, 2});
}

TEST_CASE("of thousands of places it looks at some pairs only, and visits each all the same") {
  // On a circle, but numbered across it: 0, n/2, 1, n/2 + 1, …
  for (const int count : {11, 64, 4000}) {
    long asked = 0;
    const PlaceDistance distance = [&](int a, int b) {
      ++asked;
      const auto at = [=](int place) { return place % 2 * (count / 2) + place / 2; };
      const int apart = std::abs(at(a) - at(b));
      return 10.0 + std::min(apart, count - apart);
    };
    std::vector<int> numbered(static_cast<std::size_t>(count));
    std::iota(numbered.begin(), numbered.end(), 0);
    const std::vector<int> tour = short_tour(count, true, distance);
    CHECK(asked < 100'000'000);
    CHECK(length(tour, distance) < length(numbered, distance));
    std::vector<int> sorted = tour;
    std::ranges::sort(sorted);
    CHECK(sorted == numbered);
  }
}
