#pragma once

#include <vector>

namespace vnode {

/// Returns the value below which `share` (0..1) of the values lie, by nearest rank; NaN if there are none.
double quantile(std::vector<double> values, double share);
/// Returns the middle value, or the mean of the two in the middle; NaN if there are none.
double median(std::vector<double> values);
/// Returns the mean of the middle half of the values, which is finer than the steps of the clock that has
/// measured them; NaN if there are none.
double middle_mean(std::vector<double> values);

/// Returns the values that are finite: a lap in which every call was late has no time.
std::vector<double> numbers(const std::vector<double>& values);

/// Holds the least of some values, their median, and percentiles: 25, 75, 90, 99 and 99.9.
struct Summary {
  double min = 0, p25 = 0, median = 0, p75 = 0, p90 = 0, p99 = 0, p999 = 0, mean = 0;
};

/// Returns the summary of the values; its parts are NaN if there are none.
Summary summarise(const std::vector<double>& values);

}  // namespace vnode
