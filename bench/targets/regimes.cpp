#include <array>
#include <cmath>

#include "statistics/statistics.hpp"
#include "targets/target.hpp"

namespace vnode::bench {

std::vector<Regime> regimes(const std::vector<double>& line_us) {
  std::array<Regime, 3> by_line;  // hyper-threads of one core; two cores; worse
  for (std::size_t lap = 0; lap < line_us.size(); ++lap) {
    if (std::isnan(line_us[lap])) continue;
    by_line[line_us[lap] < 0.03 ? 0 : line_us[lap] <= 0.2 ? 1 : 2].laps.push_back(lap);
  }
  std::vector<Regime> seen;
  for (Regime& regime : by_line)
    if (!regime.laps.empty()) seen.push_back(std::move(regime));
  return seen;
}

double middle(const std::vector<double>& of_laps, const Regime& regime) {
  std::vector<double> values;
  for (const std::size_t lap : regime.laps) values.push_back(of_laps[lap]);
  return median(numbers(values));
}

}  // namespace vnode::bench
