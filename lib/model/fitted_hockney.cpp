#include <algorithm>
#include <cmath>

#include <vnode/error.hpp>
#include <vnode/lab/message_costs.hpp>

namespace vnode {

// Minimises sum((t_s + n t_w) / t - 1)^2: with x = 1 / t and y = n / t a least squares problem without a
// constant. Where the minimum lies beyond 0, the one on that border is it, since the sum is convex.
Hockney fitted_hockney(std::span<const MessageTime> times) {
  double xx = 0, xy = 0, yy = 0, x_sum = 0, y_sum = 0;
  for (const MessageTime& one : times) {
    if (!(one.seconds > 0) || !std::isfinite(one.seconds))
      throw UsageError("the time of a message is more than 0 seconds");
    const double x = 1 / one.seconds, y = static_cast<double>(one.bytes) / one.seconds;
    xx += x * x, xy += x * y, yy += y * y, x_sum += x, y_sum += y;
  }
  const auto other = [&](const MessageTime& one) { return one.bytes != times.front().bytes; };
  if (std::ranges::none_of(times, other))
    throw UsageError("t_s and t_w follow from the times of messages of at least two lengths");
  const double determinant = xx * yy - xy * xy;
  const Hockney best{(x_sum * yy - y_sum * xy) / determinant, (y_sum * xx - x_sum * xy) / determinant};
  if (best.t_s < 0) return {0, y_sum / yy};
  if (best.t_w < 0) return {x_sum / xx, 0};
  return best;
}

}  // namespace vnode
