#pragma once

#include <vector>

#include <vnode/lab/schedule.hpp>

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
  /// Blocks b and b + originals stand for the same data: a scan's result and its running totals. 0: all
  /// blocks are different.
  int originals = 0;

  /// p.
  int nodes() const { return static_cast<int>(shares.size()); }
  /// The block that `block` stands for: itself, unless it is a copy.
  int original(int block) const { return originals > 0 ? block % originals : block; }
  friend bool operator==(const Contract&, const Contract&) = default;
};

/// One-to-all broadcast: `root` brings all blocks, every node must hold them.
Contract broadcast_contract(int nodes, int blocks, Rank root);
/// All-to-one reduction: every node brings all blocks, `root` must hold each with every node's contribution.
Contract reduce_contract(int nodes, int blocks, Rank root);
/// All-to-all broadcast: rank r brings the r-th of p equal shares of the blocks, every node must hold all.
Contract all_gather_contract(int nodes, int blocks);
/// All-to-all reduction: every node brings all blocks, rank r must hold the r-th of p equal shares of them,
/// each with every node's contribution.
Contract reduce_scatter_contract(int nodes, int blocks);
/// Every node brings all blocks and must hold each with every node's contribution.
Contract all_reduce_contract(int nodes, int blocks);
/// Prefix sums: every node brings `message_blocks` blocks, rank r must hold each with the contributions of
/// ranks 0 to r. If `blocks` is twice as much, the second half are running totals, which begin as copies of
/// the first.
Contract scan_contract(int nodes, int blocks, int message_blocks);
/// The same without the own contribution: rank r > 0 must hold the first `message_blocks` blocks with the
/// contributions of ranks 0 to r - 1, and rank 0 nothing; every node brings all the others, copies of them.
Contract exclusive_scan_contract(int nodes, int blocks, int message_blocks);
/// One-to-all personalized: `root` brings all blocks, rank r must hold the r-th of p equal shares of them.
Contract scatter_contract(int nodes, int blocks, Rank root);
/// All-to-one gather: rank r brings the r-th of p equal shares of the blocks, `root` must hold all.
Contract gather_contract(int nodes, int blocks, Rank root);
/// All-to-all personalized: of p * p equal shares of the blocks, rank s brings shares s * p .. s * p + p - 1,
/// rank d must hold shares s * p + d of all s.
Contract all_to_all_contract(int nodes, int blocks);
/// Circular q-shift: rank r brings the r-th of p equal shares of the blocks, rank (r + shift) mod p must hold
/// it. `shift` may be negative.
Contract circular_shift_contract(int nodes, int blocks, int shift);
/// Every node must know that every node has come.
Contract barrier_contract(int nodes);

/// Whether every node sends and receives only blocks that it brings or takes away, and every block goes into
/// its own place or that of a copy. Then a node knows all sizes from its own call, and blocks may be of any
/// size each, as the v-variants of collectives need. UsageError if schedule and contract differ in nodes or
/// blocks.
bool within_shares(const Schedule& schedule, const Contract& contract);

}  // namespace vnode
#pragma GCC visibility pop
