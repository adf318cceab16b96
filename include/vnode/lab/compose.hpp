#pragma once

#include <optional>
#include <span>
#include <vector>

#include <vnode/lab/schedule.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// The rounds of `a`, then those of `b`. Both have the same nodes and blocks (UsageError).
Schedule then(const Schedule& a, const Schedule& b);
/// Round i of `a` and round i of `b` at the same time. Both have the same nodes and blocks (UsageError).
Schedule beside(const Schedule& a, const Schedule& b);

/// Where the blocks of a schedule go in another one: block i becomes the blocks of `places[i]`, all of one
/// length.
struct BlockMap {
  int blocks = 0;                ///< of the other schedule
  std::vector<Interval> places;  ///< by block of the schedule that is placed
};

/// `a` played by the nodes `ranks` of `nodes` nodes: its node i is ranks[i]. Blocks stay what they are.
/// UsageError if `ranks` are not a.nodes() different ranks below `nodes`.
Schedule on_group(const Schedule& a, int nodes, std::span<const Rank> ranks);
/// The same, and block i of `a` becomes map.places[i].
Schedule on_group(const Schedule& a, int nodes, std::span<const Rank> ranks, const BlockMap& map);
/// `a` with node i called ranks[i], a permutation.
Schedule relabelled(const Schedule& a, std::span<const Rank> ranks);
/// The same, and block i of `a` becomes map.places[i].
Schedule relabelled(const Schedule& a, std::span<const Rank> ranks, const BlockMap& map);

/// Time and direction reversed: scatter becomes gather. UsageError if `a` combines anything.
Schedule reversed(const Schedule& a);
/// Reversed, and every replace becomes a combine: broadcast becomes reduce, all_gather becomes
/// reduce_scatter. Every node brings a contribution to every block. Sides:
/// docs/decisions/0002-what-makes-every-mutant-die.md. UsageError if `a` combines anything, or if a node
/// receives a block twice.
Schedule dual(const Schedule& a);
/// The dual if it combines in rank order, nullopt otherwise.
std::optional<Schedule> dual_in_order(const Schedule& a);

/// `a` with the side of every combine chosen as verify() demands, where every node brings a contribution to
/// every block: what was composed of schedules that combine may need that.
Schedule sided(Schedule a);

/// What one node does in a round.
struct Part {
  Round out;  ///< transfers from it
  Round in;   ///< transfers to it
};
/// `a` as node `rank` sees it, one part per round. UsageError if there is no such node.
std::vector<Part> projection(const Schedule& a, Rank rank);

}  // namespace vnode
#pragma GCC visibility pop
