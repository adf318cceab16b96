#include "statistics/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace vnode {

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  const std::size_t index = std::min(values.size() - 1, rank == 0 ? 0 : rank - 1);
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(index));
  return values[index];
}

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double middle_mean(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(values);
  const std::size_t out = values.size() / 4;
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(out);
  const auto last = values.end() - static_cast<std::ptrdiff_t>(out);
  return std::accumulate(first, last, 0.0) / static_cast<double>(last - first);
}

std::vector<double> numbers(const std::vector<double>& values) {
  std::vector<double> kept;
  for (const double value : values)
    if (std::isfinite(value)) kept.push_back(value);
  return kept;
}

Summary summarise(const std::vector<double>& values) {
  return {.min = quantile(values, 0),
          .p25 = quantile(values, 0.25),
          .median = median(values),
          .p75 = quantile(values, 0.75),
          .p90 = quantile(values, 0.9),
          .p99 = quantile(values, 0.99),
          .p999 = quantile(values, 0.999),
          .mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size())};
}

}  // namespace vnode
