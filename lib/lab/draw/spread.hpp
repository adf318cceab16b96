#pragma once

#include <vector>

namespace vnode {

/// The positions nearest to `wanted` (in the sum of squares) that keep its order, ascending, and are at least
/// `gap` apart, between `first` and `last` as far as these leave room. O(n).
std::vector<double> spread(const std::vector<double>& wanted, double gap, double first, double last);

}  // namespace vnode
