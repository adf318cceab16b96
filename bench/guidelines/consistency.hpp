#pragma once

#include "command_line/options.hpp"
#include "guidelines/composites.hpp"

namespace vnode::bench {

/// Both ways of a guideline, in the same laps.
struct Consistency {
  double one_us = 0, other_us = 0;
  double ratio = 0;  ///< of both in a lap, the median
  std::size_t wrong = 0;
};

Consistency consistency(Team& team, const Options& options, const Guideline& guideline, std::size_t bytes,
                        bool core_each);

}  // namespace vnode::bench
