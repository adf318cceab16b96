// The means of k clusters of points (Lloyd's algorithm), in a program that has OpenMP's threads already: they
// join a team, so that a parallel region can do what OpenMP has no words for. In each step
//   1. each thread finds the nearest centre of each of its points, and adds up the points of every centre
//   2. all_reduce adds up these sums: k (2 coordinates + 1 count) numbers
//   3. each thread divides, and so has the same new centres as all others
// The threads leave when their region ends, and join again in the next. No exception may leave a region: it
// is kept for behind it, where it is thrown again.
#include <array>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <omp.h>
#include <vector>

#include <vnode/vnode.hpp>

#include "example.hpp"
#include "matrix.hpp"

namespace {

constexpr int centres = 8, steps = 10;

struct Point {
  double x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};
using Centres = std::array<Point, centres>;
using Sums = std::array<double, std::size_t{3} * centres>;  // of x, of y, and the count

// Small whole coordinates, so that sums are exact in any order.
Point point(std::size_t i) {
  return {static_cast<double>(i * 7919 % 1009), static_cast<double>(i * 104729 % 997)};
}

Centres first_centres() {
  Centres made;
  for (std::size_t c = 0; c < centres; ++c) made[c] = point(c);
  return made;
}

Sums sums_around(const Centres& means, const std::vector<Point>& points) {
  Sums sums{};
  for (const Point& at : points) {
    std::size_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < centres; ++c) {
      const double dx = at.x - means[c].x, dy = at.y - means[c].y;
      if (const double distance = dx * dx + dy * dy; distance < least) {
        least = distance;
        nearest = c;
      }
    }
    sums[3 * nearest] += at.x;
    sums[3 * nearest + 1] += at.y;
    sums[3 * nearest + 2] += 1;
  }
  return sums;
}

// A centre without points stays where it is.
void move_centres(Centres& means, const Sums& sums) {
  for (std::size_t c = 0; c < centres; ++c)
    if (const double count = sums[3 * c + 2]; count > 0)
      means[c] = {sums[3 * c] / count, sums[3 * c + 1] / count};
}

std::vector<Point> points_of(example::Block block) {
  std::vector<Point> made;
  for (std::size_t i = block.first; i < block.end; ++i) made.push_back(point(i));
  return made;
}

struct Result {
  Centres means;
  bool everywhere = false;  // all nodes have the same
  double seconds = 0;
};

Result k_means_on(vnode::Team& team, std::size_t n) {
  Result result;
  std::exception_ptr wrong;
#pragma omp parallel num_threads(team.size())
  try {
    vnode::Membership me = team.join(omp_get_thread_num());
    const std::vector<Point> mine = points_of(example::block(n, me->size(), me->rank()));
    Centres means;
    const double seconds = example::seconds(
        *me, [&] { means = first_centres(); },
        [&] {
          for (int step = 0; step < steps; ++step) {
            Sums sums = sums_around(means, mine);
            me->all_reduce(sums, std::plus<>{});
            move_centres(means, sums);
          }
        });
    Centres first = means;
    me->broadcast(first);
    const bool same = me->all_reduce(first == means, std::logical_and<>{});
    if (me->rank() == 0) result = {means, same, seconds};
  } catch (...) {
#pragma omp critical
    if (!wrong) wrong = std::current_exception();
  }
  if (wrong) std::rethrow_exception(wrong);
  return result;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto [nodes, n] = example::arguments(argc, argv, {4, 20'000}, "the number of points", 100'000'000);
  omp_set_dynamic(0);  // as many threads as asked for
  vnode::Team team{nodes, {.threads = vnode::Threads::callers}};
  const Result result = k_means_on(team, n);
  const std::vector<Point> points = points_of({0, n});
  Centres means;
  const double sequential = example::seconds([&] { means = first_centres(); },
                                             [&] {
                                               for (int step = 0; step < steps; ++step)
                                                 move_centres(means, sums_around(means, points));
                                             });
  const bool right = result.everywhere && result.means == means;
  return example::report("k-means of " + std::to_string(n) + " points", team, right, result.seconds,
                         sequential);
} catch (const std::exception& error) {
  return example::complain("openmp_k_means", error);
}
