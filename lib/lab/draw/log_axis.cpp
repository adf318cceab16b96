#include "draw/log_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace vnode {
namespace {

double base(Plot::Unit unit) { return unit == Plot::Unit::bytes ? 2 : 10; }

double logarithm(Plot::Unit unit, double value) {
  return unit == Plot::Unit::bytes ? std::log2(value) : std::log10(value);
}

/// The number in the largest unit of which it is at least one.
template <std::size_t N>
std::string in_units(double value, const std::array<std::pair<double, const char*>, N>& units) {
  std::size_t unit = 0;
  while (unit + 1 < N && value >= units[unit + 1].first * 0.999999) ++unit;
  return fmt::format("{:.4g}{}", value / units[unit].first, units[unit].second);
}

constexpr std::array<std::pair<double, const char*>, 5> byte_units{
    {{1, ""}, {1 << 10, "K"}, {1 << 20, "M"}, {1 << 30, "G"}, {1099511627776.0, "T"}}};
constexpr std::array<std::pair<double, const char*>, 5> second_units{
    {{1e-12, " ps"}, {1e-9, " ns"}, {1e-6, " us"}, {1e-3, " ms"}, {1, " s"}}};

}  // namespace

LogAxis::LogAxis(Plot::Unit unit, double least, double most, double first, double last)
    : unit_(unit), least_(logarithm(unit, least)), most_(logarithm(unit, most)), first_(first), last_(last) {
  // So that there are two ticks: a power of the base lies in every unit.
  const double room = std::max(1.1 - (most_ - least_), 0.0) / 2;
  least_ -= room;
  most_ += room;
}

double LogAxis::at(double value) const {
  return first_ + (logarithm(unit_, value) - least_) / (most_ - least_) * (last_ - first_);
}

std::vector<double> LogAxis::ticks() const {
  constexpr double most_ticks = 10, tolerance = 1e-9;
  const double step = std::max(std::ceil((most_ - least_) / most_ticks), 1.0);
  std::vector<double> ticks;
  for (double power = std::ceil((least_ - tolerance) / step) * step; power <= most_ + tolerance;
       power += step)
    ticks.push_back(std::pow(base(unit_), power));
  return ticks;
}

std::string LogAxis::text(double value) const {
  switch (unit_) {
    case Plot::Unit::bytes:
      return in_units(value, byte_units);
    case Plot::Unit::seconds:
      return in_units(value, second_units);
    case Plot::Unit::number:
      break;
  }
  return fmt::format("{:g}", value);
}

}  // namespace vnode
