#pragma once

#include <span>
#include <string>
#include <string_view>

#include <vnode/team.hpp>

#include "collectives/task.hpp"
#include "options/options.hpp"
#include "questions/register.hpp"
#include "timing/contestant.hpp"

namespace vnode::bench {

/// A guideline says that an operation must not be slower than others that do the same together.
struct Guideline {
  std::string_view text;
  Collective collective;  ///< the one operation
  /// The other way to do it, on doubles with std::plus; and the one way, where that is not a call of
  /// `collective`.
  void (*other)(Node& me, const Task& task);
  void (*one)(Node& me, const Task& task) = nullptr;
  bool divides = false;  ///< m / 8 must be divisible by p
};

std::span<const Guideline> guidelines();

/// Holds the times of both ways of a guideline, measured in the same laps.
struct Consistency {
  double one_us = 0, other_us = 0;
  double ratio = 0;  ///< of both in a lap, the median
  std::size_t wrong = 0;
};

Consistency consistency(Team& team, const Options& options, const Guideline& guideline, std::size_t bytes,
                        bool core_each);

/// Holds the time of the algorithm that the library chooses and that of the best, measured beside every
/// algorithm that can be asked for, in the same laps.
struct AutoBeside {
  std::string chosen, best;  ///< algorithms
  double chosen_us = 0, best_us = 0;
  double ratio = 0;  ///< of both in a lap, the median
};

AutoBeside auto_beside_best(Team& team, const Options& options, const Operation& operation, std::size_t bytes,
                            bool core_each);

/// Returns the sizes that the options ask for; only 0 where the operation has no size.
std::vector<std::size_t> sizes_of(const Options& options, const Operation& operation);

}  // namespace vnode::bench
