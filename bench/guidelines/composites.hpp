#pragma once

#include <span>
#include <string_view>

#include "collectives/task.hpp"
#include "measure/contestant.hpp"

namespace vnode::bench {

/// An operation must not be slower than others that do the same together.
struct Guideline {
  std::string_view text;
  Collective collective;  ///< the one operation
  /// The other way to do it, by double and sum; and the one, where it is not the collective as it is.
  void (*other)(Node& me, const Task& task);
  void (*one)(Node& me, const Task& task) = nullptr;
  bool divides = false;  ///< m must be divisible by p
};

std::span<const Guideline> guidelines();

}  // namespace vnode::bench
