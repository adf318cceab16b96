#pragma once

#include <vector>

#include "measure/clock.hpp"

namespace vnode::bench {

/// When one caller should have been let go, was, and came back.
struct Stamp {
  Ticks deadline = 0, entry = 0, exit = 0;
};

/// Of every caller, by rank, one for each call.
using Stamps = std::vector<std::vector<Stamp>>;

/// What is done around a call, and what its time is.
enum class Loop {
  completion,  ///< data are written anew, all are let go at once; from the first entry to the last exit
  osu  ///< data stay, a barrier lies between two calls; the mean over the callers of the time each was inside
};

}  // namespace vnode::bench
