#pragma once

#include <algorithm>

#include <vnode/model/algorithms.hpp>

namespace vnode {

// These make schedules whose nodes are alike, and of which the part of one node can be built
// (Parameters::only).

/// They are for all parameters.
constexpr bool always(const Parameters&) { return true; }

/// Calls visit(rank) for every node in the order of ranks; for a part, for that node and for `other` alone.
template <class Visit>
void each_node(const Parameters& parameters, Rank other, const Visit& visit) {
  if (!parameters.only) {
    for (Rank rank = 0; rank < parameters.nodes; ++rank) visit(rank);
    return;
  }
  const auto [first, second] = std::minmax(*parameters.only, other);
  visit(first);
  if (second != first) visit(second);
}

/// Calls visit(a, b) for every pair of two nodes, by a and then by b; for a part, for the node's own pairs.
template <class Visit>
void each_pair(const Parameters& parameters, const Visit& visit) {
  for (Rank a = 0; a < parameters.nodes; ++a) {
    if (parameters.only && a != *parameters.only) {
      visit(a, *parameters.only);
      continue;
    }
    for (Rank b = 0; b < parameters.nodes; ++b)
      if (b != a) visit(a, b);
  }
}

}  // namespace vnode
