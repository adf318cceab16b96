#include "timing/clock.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace vnode {
namespace {

using namespace std::chrono_literals;

// Returns one reading of both clocks: the closest of several, so that an interruption in between does not
// count.
struct Pair {
  Ticks ticks;
  std::chrono::steady_clock::time_point time;
};

Pair read_both() {
  Pair best{};
  Ticks closest = ~Ticks{0};
  for (int attempt = 0; attempt < 10; ++attempt) {
    const Ticks before = now_after();
    const auto time = std::chrono::steady_clock::now();
    const Ticks after = now_after();
    if (after - before < closest) {
      closest = after - before;
      best = {before + (after - before) / 2, time};
    }
  }
  return best;
}

double ticks_per_us() {
  const Pair start = read_both();
  while (std::chrono::steady_clock::now() - start.time < 20ms) {
  }
  const Pair end = read_both();
  const std::chrono::duration<double, std::micro> elapsed = end.time - start.time;
  return static_cast<double>(end.ticks - start.ticks) / elapsed.count();
}

Ticks reading_cost() {
  std::array<Ticks, 101> costs;
  for (Ticks& cost : costs) {
    const Ticks before = now_after();
    cost = now_after() - before;
  }
  std::ranges::nth_element(costs, costs.begin() + costs.size() / 2);
  return costs[costs.size() / 2];
}

}  // namespace

const Clock& the_clock() {
#if defined(__x86_64__)
  static const Clock clock{"tsc", ticks_per_us(), reading_cost()};
#else
  static const Clock clock{"steady_clock", ticks_per_us(), reading_cost()};
#endif
  return clock;
}

}  // namespace vnode
