#pragma once

#include <optional>
#include <span>
#include <vector>

#include <vnode/model/schedule.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes a map from the blocks of a schedule to those of another one: block i becomes the blocks
/// `places[i]`, all of one length.
struct BlockMap {
  int blocks = 0;                ///< number of blocks of the other schedule
  std::vector<Interval> places;  ///< the blocks that each block becomes
};

/// Operations on schedules.
namespace compose {

/// Returns the rounds of `a` followed by those of `b`. Throws UsageError unless both have the same nodes and
/// blocks.
Schedule then(const Schedule& a, const Schedule& b);
/// Returns rounds that each combine round i of `a` with round i of `b`. Throws UsageError unless both have
/// the same nodes and blocks.
Schedule beside(const Schedule& a, const Schedule& b);

/// Returns `a` executed by the nodes `ranks` of `nodes` nodes: its node i is ranks[i]. Blocks keep their
/// numbers. Throws UsageError if `ranks` are not a.nodes() different ranks below `nodes`.
Schedule on_group(const Schedule& a, int nodes, std::span<const Rank> ranks);
/// Returns `a` on these nodes, with block i as map.places[i].
Schedule on_group(const Schedule& a, int nodes, std::span<const Rank> ranks, const BlockMap& map);
/// Returns `a` with node i renamed to ranks[i], a permutation.
Schedule relabelled(const Schedule& a, std::span<const Rank> ranks);
/// Returns `a` with renamed nodes, and with block i as map.places[i].
Schedule relabelled(const Schedule& a, std::span<const Rank> ranks, const BlockMap& map);

/// Returns `a` with time and direction reversed: scatter becomes gather. Throws UsageError if `a` combines
/// anything.
Schedule reversed(const Schedule& a);
/// Returns `a` reversed, with every replace turned into a combine: broadcast becomes reduce, all_gather
/// becomes reduce_scatter. Every node contributes to every block.
/// docs/decisions/0002-what-makes-every-mutant-die.md says which side of a combine is the own value. Throws
/// UsageError if `a` combines anything, or if a node receives a block twice.
Schedule dual(const Schedule& a);
/// Returns the dual if it combines in rank order, nullopt otherwise.
std::optional<Schedule> dual_in_order(const Schedule& a);

/// Returns `a` with the side of every combine chosen as verify() demands, where every node contributes to
/// every block. Compositions of schedules that combine may need that.
Schedule sided(Schedule a);

}  // namespace compose

/// Describes the transfers of one node in a round.
struct Part {
  Round out;  ///< transfers that the node sends
  Round in;   ///< transfers that it receives
};
/// Returns the transfers of node `rank`, one Part for each round. Throws UsageError if there is no such node.
std::vector<Part> projection(const Schedule& a, Rank rank);

}  // namespace vnode
#pragma GCC visibility pop
