#pragma once

#include <cstddef>
#include <vector>

#include "base/ticks.hpp"

namespace vnode {

/// Says when one caller should have been let go, when it was, and when it came back.
struct Stamp {
  Ticks deadline = 0, entry = 0, exit = 0;
};

/// Holds the stamps of every caller, by rank, one for each call.
using Stamps = std::vector<std::vector<Stamp>>;

/// Says what is done around a call, and what its time is.
enum class Loop {
  completion,  ///< data are written anew, all are let go at once; from the first entry to the last exit
  osu  ///< data stay, a barrier lies between two calls; the mean over the callers of the time each was inside
};

/// Holds the times of one contestant, in microseconds per call, as the loop says.
struct Series {
  std::vector<std::vector<double>> laps;
  std::vector<double> inside_us;  ///< by rank: in OSU's loop, what the calls took it all together
  std::vector<double> late_us;    ///< the times of calls that do not count, because somebody entered late
  std::size_t wrong = 0;          ///< elements
  std::vector<double> all() const;
  /// Returns the median of each lap; NaN where nothing was kept.
  std::vector<double> medians() const;
  /// Adds a lap of `calls` calls, stamped from `first` on; one stamp is of `repeats` of what is asked for.
  void keep(const Stamps& stamps, std::size_t first, std::size_t calls, Loop loop, double repeats);
};

}  // namespace vnode
