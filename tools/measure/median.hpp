#pragma once

#include <algorithm>
#include <vector>

namespace vnode {

/// The middle value, or the mean of the two in the middle. At least one value.
inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace vnode
