#pragma once

#include <string_view>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// What no schedule is better than, in the words of Cost; as a number and as a formula
/// (vnode/lab/formula.hpp) in t_s, t_w, m, p, k segments and g, the ports of a node that work at the same
/// time.
struct LowerBound {
  double startups = 0;         ///< rounds
  double words = 0;            ///< in units of m
  std::string_view formula{};  ///< "t_s ceil(log2 p) + t_w m", of 1 port; with g where there are more
  friend bool operator==(const LowerBound&, const LowerBound&) = default;
};

/// The rounds in which one node can reach p, or hear of them, if a node sends through `ports` links at once:
/// each makes g + 1 of one, ceil(log p / log(g + 1)).
int least_rounds(int p, int ports);

/// Of a broadcast, a reduce, or prefix sums of m words in k segments: the last segment leaves in round k / g
/// at the earliest, and somebody takes in all m words.
LowerBound broadcast_bound(int p, int ports, int segments = 1);
/// Of an all_reduce in which every word of the result is computed once: (p - 1) / p of m go to where they are
/// combined, and as much back.
LowerBound all_reduce_bound(int p, int ports);
/// Of a scatter, gather, all_gather, reduce_scatter or all_to_all, whose m is one node's or pair's: p - 1 of
/// them pass somebody's ports.
LowerBound personalized_bound(int p, int ports);
/// Of an all_to_all through all ports of a hypercube: p^2 / 4 messages cross to either half on p / 2 links.
LowerBound hypercube_exchange_bound(int p);
/// Of a barrier, which moves no words.
LowerBound barrier_bound(int p, int ports);
/// Of a circular shift by q, 0 <= q < p.
LowerBound shift_bound(int q);

}  // namespace vnode
#pragma GCC visibility pop
