#pragma once

#include <optional>
#include <vector>

#include <vnode/model/schedule.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes the share of one node in a collective operation: the blocks that it contributes and those that
/// it must receive. Of every block that it contributes it holds one contribution, its own.
struct Share {
  std::vector<Interval> input;   ///< blocks it holds before, ascending
  std::vector<Interval> output;  ///< blocks it must hold after, ascending
  /// The ranks whose contributions each output block must contain: those of them that contribute to the
  /// block, each exactly once.
  Interval origins;
  friend bool operator==(const Share&, const Share&) = default;
};

/// Describes the pre- and postcondition of a collective operation, per node and block. All collectives are
/// written in these terms: one rank contributes to a block that is moved (broadcast, scatter, all_gather,
/// all_to_all), several to one that is combined (reduce, scan). Blocks that no share names are at the
/// algorithm's disposal.
struct Contract {
  int blocks = 0;             ///< number of the schedule's blocks
  int message_blocks = 0;     ///< number of blocks that make m, the operation's message size; 0 for a barrier
  bool knowledge = false;     ///< for a barrier: at the end every node must know that every node has come
  std::vector<Share> shares;  ///< one per rank
  /// Makes blocks b and b + originals stand for the same data: a scan's result and its running totals. 0: all
  /// blocks are different.
  int originals = 0;

  /// Returns the number of nodes, p.
  int nodes() const { return static_cast<int>(shares.size()); }
  /// Returns the block that `block` stands for: itself, unless it is a copy.
  int original(int block) const { return originals > 0 ? block % originals : block; }
  friend bool operator==(const Contract&, const Contract&) = default;
};

/// One-to-all broadcast: `root` contributes all blocks, every node must hold them.
Contract broadcast_contract(int nodes, int blocks, Rank root);
/// All-to-one reduction: every node contributes to all blocks, `root` must hold each with every node's
/// contribution.
Contract reduce_contract(int nodes, int blocks, Rank root);
/// All-to-all broadcast: rank r contributes the r-th of p equal shares of the blocks, every node must hold
/// all. `only`: the shares of all other nodes are left empty.
Contract all_gather_contract(int nodes, int blocks, std::optional<Rank> only = {});
/// All-to-all reduction: every node contributes to all blocks, rank r must hold the r-th of p equal shares of
/// them, each with every node's contribution. `only` as in all_gather_contract.
Contract reduce_scatter_contract(int nodes, int blocks, std::optional<Rank> only = {});
/// Reduction to all: every node contributes to all blocks and must hold each with every node's contribution.
/// `only` as in all_gather_contract.
Contract all_reduce_contract(int nodes, int blocks, std::optional<Rank> only = {});
/// Prefix sums: every node contributes to `message_blocks` blocks, rank r must hold each with the
/// contributions of ranks 0 to r. If `blocks` is twice as much, the second half are running totals, which
/// begin as copies of the first.
Contract scan_contract(int nodes, int blocks, int message_blocks);
/// Prefix sums with a copy of the message for each rank's result: rank r contributes to all copies from r on
/// and must hold copy r, with the contributions of ranks 0 to r. So one node can combine a slice of p for all
/// ranks. Rank 0 would hold copy 0 from the beginning, and nobody could spare it the work of copying it to
/// its output: so it contributes only the first slice there, and gets the others from those that combine
/// them.
Contract sliced_scan_contract(int nodes, int blocks);
/// Exclusive prefix sums: rank r > 0 must hold the first `message_blocks` blocks with the contributions of
/// ranks 0 to r - 1, and rank 0 nothing; every node contributes to all the others, which are copies of them.
Contract exclusive_scan_contract(int nodes, int blocks, int message_blocks);
/// One-to-all personalized: `root` contributes all blocks, rank r must hold the r-th of p equal shares of
/// them.
Contract scatter_contract(int nodes, int blocks, Rank root);
/// All-to-one personalized: rank r contributes the r-th of p equal shares of the blocks, `root` must hold
/// all.
Contract gather_contract(int nodes, int blocks, Rank root);
/// All-to-all personalized: of p * p equal shares of the blocks, rank s contributes shares s * p .. s * p + p
/// - 1, rank d must hold shares s * p + d of all s. `only` as in all_gather_contract.
Contract all_to_all_contract(int nodes, int blocks, std::optional<Rank> only = {});
/// Circular q-shift: rank r contributes the r-th of p equal shares of the blocks, rank (r + shift) mod p must
/// hold it. `shift` may be negative.
Contract circular_shift_contract(int nodes, int blocks, int shift);
/// Barrier: every node must know that every node has come.
Contract barrier_contract(int nodes);

/// Returns whether every node sends and receives only blocks of its own share, and every block goes into its
/// own place or that of a copy. Then a node knows all sizes from its own call, and each block may have any
/// size, as the v-variants of collectives need. `only`: what this node sends and receives alone is looked at.
/// Throws UsageError if schedule and contract differ in nodes or blocks.
bool within_shares(const Schedule& schedule, const Contract& contract, std::optional<Rank> only = {});

}  // namespace vnode
#pragma GCC visibility pop
