#include <algorithm>
#include <cmath>

#include <vnode/model/tuning.hpp>

namespace vnode {
namespace {

/// Holds what lies next to a place on an axis: the nearest below or at it, and above or at it.
struct Neighbours {
  const TunedPoint *below = nullptr, *above = nullptr;

  template <class Value>
  void consider(const TunedPoint& point, Value TunedPoint::*axis, Value place) {
    if (point.*axis <= place && (below == nullptr || point.*axis > below->*axis)) below = &point;
    if (point.*axis >= place && (above == nullptr || point.*axis < above->*axis)) above = &point;
  }
};

/// Returns the value at `place` of the straight line between logarithms through two points. `from` may equal
/// `to`.
double between(double from, double to, double place, double value_from, double value_to) {
  if (!(to > from)) return value_from;
  const double share = std::log(place / from) / std::log(to / from);
  return value_from * std::pow(value_to / value_from, share);
}

/// Holds the time of an algorithm, and whether it is known or the least that it can be.
struct Time {
  double seconds;
  bool known;
};

Time time_at(const TunedPoint& point, std::string_view algorithm) {
  const auto found = point.seconds.find(algorithm);
  if (found != point.seconds.end()) return {found->second, true};
  const auto best = std::ranges::min_element(point.seconds, {}, [](const auto& one) { return one.second; });
  return {tuned_range * best->second, false};
}

/// Returns the time for the number of nodes of `row`, all of whose points are of one collective.
Time time_in_row(std::span<const TunedPoint> points, const TunedPoint& row, std::string_view algorithm,
                 std::size_t bytes) {
  Neighbours sizes;
  for (const TunedPoint& point : points)
    if (point.collective == row.collective && point.nodes == row.nodes && point.share_pus == row.share_pus &&
        !point.seconds.empty())
      sizes.consider(point, &TunedPoint::bytes, bytes);
  if (sizes.below == nullptr) return time_at(*sizes.above, algorithm);
  const Time below = time_at(*sizes.below, algorithm);
  if (sizes.above == nullptr) {
    const double ways = static_cast<double>(bytes) / std::max(static_cast<double>(sizes.below->bytes), 1.0);
    return {below.seconds * std::max(ways, 1.0), below.known};
  }
  const Time above = time_at(*sizes.above, algorithm);
  const auto place = [](std::size_t size) { return std::max(static_cast<double>(size), 1.0); };
  return {between(place(sizes.below->bytes), place(sizes.above->bytes), place(bytes), below.seconds,
                  above.seconds),
          below.known || above.known};
}

}  // namespace

std::optional<double> tuned_seconds(std::span<const TunedPoint> points, Collective collective,
                                    std::string_view algorithm, int nodes, bool share_pus,
                                    std::size_t bytes) {
  Neighbours rows;
  for (const TunedPoint& point : points)
    if (point.collective == collective && point.share_pus == share_pus && !point.seconds.empty())
      rows.consider(point, &TunedPoint::nodes, nodes);
  if (rows.below == nullptr || rows.above == nullptr) return std::nullopt;
  const Time below = time_in_row(points, *rows.below, algorithm, bytes);
  const Time above = time_in_row(points, *rows.above, algorithm, bytes);
  if (!below.known && !above.known) return std::nullopt;
  return between(rows.below->nodes, rows.above->nodes, nodes, below.seconds, above.seconds);
}

}  // namespace vnode
