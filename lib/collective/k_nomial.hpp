#pragma once

#include <algorithm>

#include <vnode/collective.hpp>

namespace vnode {

/// The radix of a k-nomial tree of `parameters.nodes` nodes: with more than p it is what it is with p.
constexpr int radix(const Parameters& parameters) {
  return std::min(parameters.radix, std::max(parameters.nodes, 2));
}

/// The weight of the first digit of the ranks 0 .. p-1, written with base `radix`: the highest power below p;
/// 0 for one node.
constexpr int top_weight(int p, int radix) {
  if (p == 1) return 0;
  int weight = 1;
  while (weight * radix < p) weight *= radix;
  return weight;
}

/// The largest first digit of these ranks; 0 for one node.
constexpr int top_digit(int p, int radix) { return p > 1 ? (p - 1) / top_weight(p, radix) : 0; }

/// The rounds of a k-nomial tree, one for every distance digit * weight below p: the digits 1 .. radix - 1 of
/// every weight, of the first weight those that there are.
int k_nomial_rounds(const Parameters& parameters);

/// The distance of one of them; distances fall.
int k_nomial_distance(const Parameters& parameters, int round);

/// i in the formulas of k-nomial trees: the digits of ranks, but for the first.
double further_digits(const Parameters& parameters);

/// How that is said.
inline constexpr Count one_per_distance{"(k - 1) i + floor((p - 1) / k^i)", k_nomial_rounds};
inline constexpr Symbol k_nomial_digits{"i", "the greatest i with k^i < p, 0 for one node", further_digits};
inline constexpr Symbol k_nomial_symbols[] = {k_nomial_digits};

}  // namespace vnode
