#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <vnode/team.hpp>

#include "measure/contestant.hpp"
#include "measure/gate.hpp"

namespace vnode::bench {

/// How long to measure.
struct Effort {
  int warmup = 5;  ///< calls of each contestant that are not counted
  std::optional<int>
      iterations;          ///< calls of each contestant that are counted; else as many as the time allows
  double seconds = 0.4;    ///< for the whole question
  bool core_each = true;   ///< every caller has a core of its own: all may spin, and limits can be measured
  bool check_all = false;  ///< check the result of every call, not only of every lap's last
};

/// The times of one contestant.
struct Series {
  std::vector<std::vector<double>> laps;  ///< microseconds per call, first entry to last exit
  std::size_t late = 0;                   ///< calls dropped because somebody entered late
  std::size_t wrong = 0;                  ///< elements
  std::vector<double> all() const;
  /// The median of each lap; NaN where nothing was kept.
  std::vector<double> medians() const;
};

struct LimitTimes {
  std::string name, variant;  ///< the variant: the fastest
  double times = 1;
  Series series;                ///< of that variant
  std::vector<double> medians;  ///< of each lap, microseconds, times `times`
};

struct Outcome {
  std::vector<Series> series;      ///< one for each of Question::contestants
  std::vector<LimitTimes> limits;  ///< one for each of Question::limits
  /// The one of that name.
  const LimitTimes& limit_called(std::string_view name) const;
  /// The limit in each lap: the largest of the limits. Empty if there are none.
  std::vector<double> limit() const;
};

/// Measures the contestants of one question and its limits in laps of some milliseconds. In a lap each is
/// called some tens of times in succession, one after the other in an order that changes; all see the same
/// memory in the same state. OpenMP's threads take their part of a lap while the team's are parked.
/// `measured`, if given, is told the share done so far.
Outcome measure(Team& team, Question& question, const Effort& effort,
                const std::function<void(double)>& measured = {});

}  // namespace vnode::bench
