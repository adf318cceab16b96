#pragma once

#include <vector>

#include <vnode/schedule.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// One node's part in a collective operation: what it brings and what it must take away.
/// Of every block it brings it holds one contribution, its own.
struct Share {
  std::vector<Interval> input;   ///< blocks it holds before, ascending
  std::vector<Interval> output;  ///< blocks it must hold after, ascending
  /// Whose contributions each output block must contain: those of these ranks that bring the block, each
  /// exactly once.
  Interval origins;
  friend bool operator==(const Share&, const Share&) = default;
};

/// Pre- and postcondition of a collective operation, per node and block. All collectives are written in these
/// terms: one rank brings a block where it is moved (broadcast, scatter, all_gather, all_to_all), many do
/// where it is combined (reduce, scan). Blocks that no share names belong to the algorithm.
struct Contract {
  int blocks = 0;             ///< of the schedule that carries it out
  int message_blocks = 0;     ///< how many of them make m, the operation's message size; 0 for a barrier
  bool knowledge = false;     ///< a barrier: at the end every node must know that every node has come
  std::vector<Share> shares;  ///< one per rank

  /// p.
  int nodes() const { return static_cast<int>(shares.size()); }
  friend bool operator==(const Contract&, const Contract&) = default;
};

/// One-to-all broadcast: `root` brings all blocks, every node must hold them.
Contract broadcast_contract(int nodes, int blocks, Rank root);
/// All-to-one reduction: every node brings all blocks, `root` must hold each with every node's contribution.
Contract reduce_contract(int nodes, int blocks, Rank root);
/// Every node must know that every node has come.
Contract barrier_contract(int nodes);

}  // namespace vnode
#pragma GCC visibility pop
