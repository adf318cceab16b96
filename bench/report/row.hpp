#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <vnode/rank.hpp>

#include "statistics/statistics.hpp"

namespace vnode::bench {

/// What OSU's programs print: means over all calls, of all ranks and of those with the least and the
/// greatest.
struct RankMeans {
  double all_us = 0, least_us = 0, greatest_us = 0;
  std::size_t iterations = 0;
};

/// One line of results. Times in microseconds; GBps is 10^9 bytes per second. What an operation has not is
/// nothing.
struct Row {
  std::string by, collective;
  std::optional<std::string> requested, algorithm;
  std::optional<std::string> configuration;  ///< of a peer: its best
  std::string form;                          ///< how ours are called
  std::string topology;
  int nodes = 0;
  std::size_t bytes = 0;
  std::optional<Rank> root;
  std::optional<std::string> op, datatype;
  std::string channel, wait;
  Summary time_us;
  RankMeans means;
  std::optional<double> algbw_GBps, busbw_GBps, limit_us, ratio;
  std::size_t wrong = 0;
};

}  // namespace vnode::bench
