#pragma once

#include <string>
#include <vector>

#include <vnode/lab/charts.hpp>

namespace vnode {

/// A logarithmic axis: which values it shows, where, and with which ticks.
class LogAxis {
 public:
  /// Shows `least` to `most`, 0 < least <= most, from pixel `first` to pixel `last`.
  LogAxis(Plot::Unit unit, double least, double most, double first, double last);

  /// The pixel of a value.
  double at(double value) const;
  /// Values of ticks, ascending; 2 to about 10, powers of the unit's base.
  std::vector<double> ticks() const;
  /// "64K", "10 us", "1000".
  std::string text(double value) const;

 private:
  Plot::Unit unit_;
  double least_, most_;  // logarithms of the unit's base
  double first_, last_;
};

}  // namespace vnode
