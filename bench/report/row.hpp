#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <vnode/rank.hpp>

#include "measure/statistics.hpp"

namespace vnode::bench {

/// One line of results. Times in microseconds; GBps is 10^9 bytes per second. What an operation has not is
/// nothing.
struct Row {
  std::string by, collective;
  std::optional<std::string> requested, algorithm;
  std::string topology;
  int nodes = 0;
  std::size_t bytes = 0;
  std::optional<Rank> root;
  std::optional<std::string> op, datatype;
  std::string channel, wait;
  Summary time_us;
  std::optional<double> algbw_GBps, busbw_GBps, limit_us, ratio;
  std::size_t wrong = 0;
};

}  // namespace vnode::bench
