#pragma once

#include <vector>

namespace vnode {

/// The value below which `share` (0..1) of the values lie, by nearest rank; NaN of nothing.
double quantile(std::vector<double> values, double share);
/// The middle value, or the mean of the two in the middle; NaN of nothing.
double median(std::vector<double> values);

/// Those that are numbers: where every call of a lap was late, its time is none.
std::vector<double> numbers(const std::vector<double>& values);

struct Summary {
  double min = 0, median = 0, p99 = 0;
};

/// NaN of nothing.
Summary summarise(const std::vector<double>& values);

}  // namespace vnode
