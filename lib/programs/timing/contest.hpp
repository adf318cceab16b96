#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "timing/contestant.hpp"

namespace vnode {

/// Says how long to measure, and how.
struct Effort {
  int warmup = 5;                   ///< calls of each contestant that are not counted
  std::optional<int> iterations{};  ///< calls of each contestant that are; else as many as the time allows
  double seconds = 0.4;             ///< for the whole question
  int least = 2;                    ///< calls of each contestant, whatever time they take
  bool core_each = true;  ///< every caller has a core of its own: all may spin, and limits can be measured
  int most_batch = 100;   ///< calls between two meetings, where callers share cores
  std::optional<int> checks{};  ///< calls of each contestant whose result is checked; else every lap's last
  Loop loop = Loop::completion;
  std::size_t cold = 0;  ///< bytes that every caller walks before each timed call; then a batch is one call
};

/// Holds the times of a choice.
struct ChoiceTimes {
  std::string name, variant;  ///< the variant: the fastest
  double times = 1;
  Series series;                ///< of that variant
  std::vector<double> medians;  ///< of each lap, microseconds, times `times`
};

/// Holds the times of a question.
struct Timings {
  std::vector<Series> series;                 ///< one for each of Question::contestants
  std::vector<ChoiceTimes> limits, beside{};  ///< one for each of Question::limits and Question::beside
  /// Returns the limit in each lap: the largest of the limits; NaN where one is not known. The result is
  /// empty if there are none.
  std::vector<double> limit() const;
};

/// Measures the contestants of one question, its limits and what is beside in laps of some milliseconds. In a
/// lap each is called some tens of times in succession, one after the other in an order that changes; all see
/// the same memory in the same state. Threads of others and other processes take their part of a lap while
/// the team's are parked. Calls `measured`, if given, with the share that is done so far. Throws SystemError
/// if the variant that a limit is taken from computes wrong.
Timings measure(Team& team, Question& question, const Effort& effort,
                const std::function<void(double)>& measured = {});

}  // namespace vnode
