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

/// Medians of fewer calls say little, and ratios of fewer rounds nothing.
inline constexpr std::size_t least_calls = 10, least_rounds = 5;

/// One line of results. Times in microseconds; GBps is 10^9 bytes per second. What an operation has not is
/// nothing.
struct Row {
  std::string by, collective;
  std::optional<std::string> requested, algorithm;
  std::optional<std::string> configuration;  ///< of a peer: its best
  bool one_caller = false;                   ///< one thread calls on behalf of all nodes
  std::string form;                          ///< how vnode's are called
  std::string topology;
  int nodes = 0;
  std::size_t bytes = 0;
  bool bytes_of_part = false;  ///< of p parts or messages, which nccl-tests counts together
  std::optional<Rank> root;
  std::optional<std::string> op, datatype;
  std::string channel, wait;
  Summary time_us;
  std::size_t calls = 0;  ///< that the times are of
  RankMeans means;
  std::optional<double> algbw_GBps, busbw_GBps, limit_us;
  std::optional<double> ratio;  ///< time by limit in a round, the median over the rounds; none of few rounds
  std::size_t wrong = 0;

  bool few() const { return calls < least_calls; }
  /// The median by the limit; nothing of few calls.
  std::optional<double> median_to_limit() const {
    return few() || !limit_us ? std::nullopt : std::optional{time_us.median / *limit_us};
  }
};

}  // namespace vnode::bench
