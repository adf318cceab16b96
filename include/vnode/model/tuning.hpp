#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <vnode/collective.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Holds how long the algorithms of a collective took for one number of nodes and one size of message, as
/// `vnode tune` has measured it.
struct TunedPoint {
  Collective collective = Collective::broadcast;  ///< the collective
  int nodes = 0;                                  ///< p
  bool share_pus = false;                         ///< whether several nodes were on one PU
  std::size_t bytes = 0;                          ///< m, the operation's message size
  /// Seconds by the algorithm's name, from the first node's entry to the last one's exit, the means of the
  /// middle half of many calls. An algorithm that is missing took at least `tuned_range` times as long as the
  /// best, or cannot run there.
  std::map<std::string, double, std::less<>> seconds{};
  friend bool operator==(const TunedPoint&, const TunedPoint&) = default;
};

/// Algorithms that take longer than this multiple of the best one's time at a point are not kept there.
inline constexpr double tuned_range = 2;

/// Returns what an algorithm would take by what was measured: on straight lines between logarithms, from the
/// points with the nearest sizes and the nearest numbers of nodes below and above. Where it is missing at one
/// of these it is taken to need `tuned_range` times the best time there. A size below the least that was
/// measured takes as long as that, one above the greatest longer in proportion. Returns nothing for an
/// algorithm that is missing at all of these points, and for a number of nodes outside of what was measured,
/// apart for nodes that share PUs and nodes that do not. O(points log algorithms).
std::optional<double> tuned_seconds(std::span<const TunedPoint> points, Collective collective,
                                    std::string_view algorithm, int nodes, bool share_pus, std::size_t bytes);

}  // namespace vnode
#pragma GCC visibility pop
