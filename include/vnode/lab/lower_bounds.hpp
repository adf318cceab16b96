#pragma once

#include <string_view>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes a lower bound on the cost of schedules, in the terms of Cost; as numbers and as a formula
/// (vnode/lab/formula.hpp) in t_s, t_w, m, p, k segments and g, the ports of a node that work at the same
/// time.
struct LowerBound {
  double startups = 0;         ///< rounds
  double words = 0;            ///< in units of m
  std::string_view formula{};  ///< "t_s ceil(log2 p) + t_w m" for 1 port; with g for several
  friend bool operator==(const LowerBound&, const LowerBound&) = default;
};

/// Returns the least number of rounds in which one node can reach p, or receive from them, if a node sends
/// through `ports` = g links at once: each round makes g + 1 nodes of one, so ceil(log p / log(g + 1)).
int least_rounds(int p, int ports);

/// Returns the bound of a broadcast, a reduce, or prefix sums of m words in k segments: the last segment
/// leaves in round k / g at the earliest, and some node receives all m words.
LowerBound broadcast_bound(int p, int ports, int segments = 1);
/// Returns the bound of an all_reduce that computes every word of the result once: (p - 1) / p of m travel to
/// where they are combined, and as much back.
LowerBound all_reduce_bound(int p, int ports);
/// Returns the bound of a scatter, gather, all_gather, reduce_scatter or all_to_all, whose m is that of one
/// node or pair: p - 1 of them pass the ports of some node.
LowerBound personalized_bound(int p, int ports);
/// Returns the bound of an all_to_all through all ports of a hypercube: p^2 / 4 messages cross to either half
/// on p / 2 links.
LowerBound hypercube_exchange_bound(int p);
/// Returns the bound of a barrier, which moves no words.
LowerBound barrier_bound(int p, int ports);
/// Returns the bound of a circular shift by q, 0 <= q < p.
LowerBound shift_bound(int q);

}  // namespace vnode
#pragma GCC visibility pop
