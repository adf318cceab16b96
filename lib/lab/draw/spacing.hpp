#pragma once

#include <vector>

namespace vnode {

/// Says where a line meets the edge of a node.
struct Contact {
  double angle = 0;    ///< in radians, any turn
  bool fixed = false;  ///< it stays there
};

/// Turns the contacts of one node away from each other, so that neighbours are `gap` apart as far as there is
/// room around the node and those that are fixed allow. They keep their order. O(n log n).
void move_apart(std::vector<Contact>& contacts, double gap);

/// Returns the positions nearest to `wanted` (in the sum of squares) that keep its order, ascending, and are
/// at least `gap` apart, between `first` and `last` as far as these leave room. O(n).
std::vector<double> spread(const std::vector<double>& wanted, double gap, double first, double last);

}  // namespace vnode
