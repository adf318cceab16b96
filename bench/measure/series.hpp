#pragma once

#include <cstddef>
#include <vector>

#include "measure/stamp.hpp"

namespace vnode::bench {

/// The times of one contestant.
struct Series {
  std::vector<std::vector<double>> laps;  ///< microseconds per call, as the loop says
  std::vector<double> inside_us;          ///< by rank: in OSU's loop, what the calls took it all together
  std::size_t late = 0;                   ///< calls dropped because somebody entered late
  std::size_t wrong = 0;                  ///< elements
  std::vector<double> all() const;
  /// The median of each lap; NaN where nothing was kept.
  std::vector<double> medians() const;
  /// Adds a lap of `calls` calls, stamped from `first` on; one stamp is of `repeats` of what is asked for.
  void keep(const Stamps& stamps, std::size_t first, std::size_t calls, Loop loop, double repeats);
};

}  // namespace vnode::bench
