#pragma once

#include <string>

#include <vnode/team.hpp>

#include "command_line/options.hpp"
#include "questions/register.hpp"

namespace vnode::bench {

/// What the library chooses, beside every algorithm that can be asked for, in the same laps.
struct AutoBeside {
  std::string chosen, best;  ///< algorithms
  double chosen_us = 0, best_us = 0;
  double ratio = 0;  ///< of both in a lap, the median
};

AutoBeside auto_beside_best(Team& team, const Options& options, const Operation& operation, std::size_t bytes,
                            bool core_each);

/// Those of the options; 0 where the operation has no size.
std::vector<std::size_t> sizes_of(const Options& options, const Operation& operation);

}  // namespace vnode::bench
