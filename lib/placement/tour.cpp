#include "placement/tour.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace vnode {
namespace {

/// Holds the length of a tour: the sum of its steps, then the longest.
using Length = std::pair<double, double>;

constexpr int most_exact = 10;
constexpr int most_starts = 16;
/// Bounds the pairs of steps that are compared, and places moved, in all.
constexpr long most_improvements = 1 << 23;

Length longer(Length length, double step) { return {length.first + step, std::max(length.second, step)}; }

Length length_of(const std::vector<int>& tour, bool closed, const PlaceDistance& distance) {
  Length length{0, 0};
  for (std::size_t i = 1; i < tour.size(); ++i) length = longer(length, distance(tour[i - 1], tour[i]));
  return closed ? longer(length, distance(tour.back(), tour.front())) : length;
}

/// Finds the best way through a set of places that ends at one of them, set by set (Held and Karp).
std::vector<int> shortest(int count, bool closed, const PlaceDistance& distance) {
  constexpr double far = std::numeric_limits<double>::infinity();
  const auto n = static_cast<std::size_t>(count);
  const std::size_t sets = std::size_t{1} << n;
  std::vector<Length> best(sets * n, {far, far});
  std::vector<int> before(sets * n, -1);
  for (std::size_t first = 0; first < (closed ? 1 : n); ++first)
    best[(std::size_t{1} << first) * n + first] = {0, 0};
  for (std::size_t set = 1; set < sets; ++set)
    for (std::size_t last = 0; last < n; ++last) {
      const Length here = best[set * n + last];
      if (here.first == far) continue;
      for (std::size_t next = 0; next < n; ++next) {
        if ((set >> next & 1) != 0) continue;
        const std::size_t larger = (set | std::size_t{1} << next) * n + next;
        const Length there = longer(here, distance(static_cast<int>(last), static_cast<int>(next)));
        if (there >= best[larger]) continue;
        best[larger] = there;
        before[larger] = static_cast<int>(last);
      }
    }
  const auto whole = [&](std::size_t last) {
    const Length length = best[(sets - 1) * n + last];
    return closed && length.first < far ? longer(length, distance(static_cast<int>(last), 0)) : length;
  };
  std::size_t last = 0;
  for (std::size_t other = 1; other < n; ++other)
    if (whole(other) < whole(last)) last = other;
  std::vector<int> tour;
  for (std::size_t set = sets - 1;;) {
    tour.push_back(static_cast<int>(last));
    const int previous = before[set * n + last];
    if (previous < 0) break;
    set ^= std::size_t{1} << last;
    last = static_cast<std::size_t>(previous);
  }
  std::ranges::reverse(tour);
  return tour;
}

std::vector<int> nearest_next(int first, int count, const PlaceDistance& distance) {
  std::vector<int> tour{first}, rest;
  for (int place = 0; place < count; ++place)
    if (place != first) rest.push_back(place);
  while (!rest.empty()) {
    const auto next =
        std::ranges::min_element(rest, {}, [&](int place) { return distance(tour.back(), place); });
    tour.push_back(*next);
    rest.erase(next);
  }
  return tour;
}

/// Turns stretches round while that shortens the tour (2-opt), and there are looks left, which it takes from.
void shorten(std::vector<int>& tour, bool closed, const PlaceDistance& distance, long& looks) {
  const std::size_t n = tour.size();
  const auto step = [&](std::size_t a, std::size_t b) {
    return b < n ? distance(tour[a], tour[b]) : closed ? distance(tour[a], tour[0]) : 0;
  };
  const auto crossed = [&](std::size_t a, std::size_t b) {  // from tour[a-1] to b, from a to tour[b+1]
    return distance(tour[a - 1], tour[b]) + (b + 1 < n ? distance(tour[a], tour[b + 1])
                                             : closed  ? distance(tour[a], tour[0])
                                                       : 0);
  };
  for (bool better = true; better;) {
    better = false;
    for (std::size_t a = 1; a < n; ++a)
      for (std::size_t b = a + 1; b < n; ++b) {
        if (--looks < 0) return;
        if (crossed(a, b) < step(a - 1, a) + step(b, b + 1)) {
          std::reverse(tour.begin() + static_cast<std::ptrdiff_t>(a),
                       tour.begin() + static_cast<std::ptrdiff_t>(b) + 1);
          looks -= static_cast<long>(b - a);
          better = true;
        }
      }
  }
}

}  // namespace

std::vector<int> short_tour(int count, bool closed, const PlaceDistance& distance) {
  std::vector<int> best(static_cast<std::size_t>(count));
  std::iota(best.begin(), best.end(), 0);
  Length least = length_of(best, closed, distance);
  const auto propose = [&](std::vector<int> tour) {
    const Length length = length_of(tour, closed, distance);
    if (length < least) {
      least = length;
      best = std::move(tour);
    }
  };
  if (count <= 2) return best;
  if (count <= most_exact) {
    propose(shortest(count, closed, distance));
  } else {
    long looks = most_improvements;
    std::vector<int> tour = best;
    shorten(tour, closed, distance, looks);
    propose(std::move(tour));
    const long to_begin = static_cast<long>(count) * count / 2;
    for (int first = 0; first < count && looks >= to_begin; first += std::max(1, count / most_starts)) {
      looks -= to_begin;
      tour = nearest_next(first, count, distance);
      shorten(tour, closed, distance, looks);
      propose(std::move(tour));
    }
  }
  if (closed) std::rotate(best.begin(), std::ranges::find(best, 0), best.end());
  if (closed && best[1] > best.back()) std::reverse(best.begin() + 1, best.end());
  return best;
}

}  // namespace vnode
