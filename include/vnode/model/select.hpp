#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/model/algorithms.hpp>
#include <vnode/model/contract.hpp>
#include <vnode/model/cost.hpp>
#include <vnode/model/schedule.hpp>
#include <vnode/model/tuning.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes the call for which an algorithm is chosen.
struct Demand {
  Collective collective = Collective::broadcast;  ///< the collective
  Parameters parameters{};     ///< p, root, extents, rank order, shift; segments: 0 leaves them to the choice
  std::size_t bytes = 0;       ///< m, the operation's message size
  bool deterministic = false;  ///< accept only algorithms that compute the canonical expression
  /// Says whether the operator rounds once what is combined at once, as sums and products of float16 and
  /// bfloat16 do: of algorithms whose predicted time is at most twice the least, those that combine at once
  /// come first.
  bool at_once = false;
  bool varying = false;  ///< accept only algorithms that allow a different count for every rank
  /// Says whether nodes that share PUs, in one process, may meet instead of sending messages, which takes
  /// fewer turns (docs/collectives.md, section 7.8).
  bool meets = true;
  std::string_view algorithm{};  ///< the algorithm requested by name; empty: the cheapest
  /// Element i is the cost of messages between nodes that are apart at i levels of parameters.hierarchy
  /// (Hierarchy::apart), for all i but the number of levels: messages between the farthest nodes have the
  /// call's costs. Empty: all messages have. Between domains with one link each (CostModel::shared_link) a
  /// round takes t_s and, of what the busiest link carries in one direction, o for each message but the first
  /// and t_w for each byte. Where nodes share PUs (CostModel::nodes_per_pu) the work for what all links carry
  /// takes turns on these, and adds to that for messages inside domains.
  std::vector<CostModel> near{};
  /// Measured times (MachineProfile::tuned): where they tell what some of the algorithms that can serve the
  /// demand would take (tuned_seconds), one of these is chosen by them.
  std::span<const TunedPoint> tuned{};
};

/// Describes the coefficients of an algorithm's predicted time.
struct Estimate {
  double startups = 0;  ///< coefficient of t_s: for each message 1, and up to 1 more in proportion to its
                        ///< length; 2 by rendezvous
  double messages = 0;  ///< coefficient of o: messages beyond one in a round, of the busiest node or of all
                        ///< nodes that share a PU, whichever are more, if nodes show them all together
  double peers = 0;     ///< coefficient of further_peer t_s: such messages, where each travels by itself
  double received = 0;  ///< coefficient of t_w m
  double written = 0;   ///< coefficient of t_put m: results that are written straight to their destination
  double combined = 0;  ///< coefficient of t_op m
  double crowding = 1;  ///< how many times the busiest node's bytes a PU moves, for all nodes that share it
};

/// Describes an algorithm as a candidate for a call.
struct Candidate {
  const Algorithm* algorithm = nullptr;  ///< the algorithm
  int segments = 1;                      ///< the cheapest number of them, for pipelined algorithms
  Hierarchy hierarchy{};   ///< the demand's hierarchy, in the cheapest form, for hierarchical algorithms
  double seconds = 0;      ///< predicted or measured time; 0 if it cannot run
  bool measured = false;   ///< whether `seconds` follows from Demand::tuned
  Estimate estimate{};     ///< the terms of the predicted time
  std::string excluded{};  ///< the reason why it cannot be chosen; empty: it can
  bool congested = false;  ///< whether it is excluded only because it is not contention-free
  bool chosen = false;     ///< whether it is the one that choose() returns
};

/// The part of t_s that a message costs beyond the first of its round, if it is not shown to all together but
/// travels in lines of its own: lines from many cores overlap little. Of rows on 16 cores in which a node
/// sends and receives 15 messages of 128 B .85 to .95 (tests/data/measured).
inline constexpr double further_peer = 0.9;

/// Predicted times that differ by less than this part are taken as equal: the costs that they rest on vary as
/// much from measurement to measurement.
inline constexpr double prediction_noise = 0.05;

/// Returns every algorithm of the collective, in the order of the registry, with its predicted time or the
/// reason why it is excluded: its needs are not met, it cannot serve the demand, or it does not promise to be
/// contention-free on `topology` where others do. Where near nodes have costs of their own, a round costs
/// what its farthest message does.
std::vector<Candidate> candidates(const Demand& demand, const Topology& topology, const CostModel& costs);

/// Returns the cheapest of some candidates that are not excluded: of those whose times equal the least but
/// for prediction_noise the one with the fewest startups, of these the one with the fewest messages, and of
/// these the first. If the times of some were measured, only these count. Returns nullptr if all are
/// excluded. `at_once`: only those that combine at once count.
const Candidate* cheapest(std::span<const Candidate> candidates, bool at_once = false);

/// Returns the one that fibers carry out at a meeting, if there is one (Demand::meets); else the cheapest
/// candidate, the cheapest one that combines at once where Demand::at_once has it come
/// first, or the one requested. The choice depends on the arguments alone, so all nodes choose alike. Throws
/// UsageError if none can be chosen or the one requested cannot.
Candidate choose(const Demand& demand, const Topology& topology, const CostModel& costs);

/// Returns the extents for algorithms on meshes: the topology's own, or those of the squarest mesh of its
/// nodes.
std::vector<int> mesh_extents(const Topology& topology);

/// These are typical costs, for machines that have not been calibrated: t_s is about the time of a cache line
/// between two cores of a socket, t_w of a core's copying of bytes that another has written, t_op of its
/// adding, t_put of its writing, o of its reading a line that has been there for a while.
inline constexpr CostModel typical_costs{150e-9, 0.1e-9, 0.03e-9, 0.03e-9, 40e-9};
/// Tells whether messages cost what typical_costs says, as where they cannot be measured.
constexpr bool are_typical(const CostModel& costs) {
  return costs.t_s == typical_costs.t_s && costs.t_w == typical_costs.t_w;
}

/// Returns the contract that `schedule` must keep to serve the demand: that of Demand::collective for its
/// number of blocks. For a scan this number may stand for results only, or for results and running totals,
/// and for an exclusive scan for two or three copies; the first that verifies is taken. Throws UsageError if
/// the schedule is for another number of nodes, if its blocks cannot be shared equally as the collective
/// needs, or if it is too large to be verified in reasonable time (more than 2^15 nodes, or 2^26 blocks on
/// all nodes together).
Contract contract_for(const Schedule& schedule, const Demand& demand);

/// Returns the reasons why `schedule` cannot serve the demand, as sentences; none if it can. It must keep its
/// contract (see verify; any number of messages may pass a node's ports), for an all_reduce with the same
/// bits on all nodes; combine in rank order for an operator that is not commutative (Parameters::keep_order);
/// compute the canonical expression if that is demanded (Demand::deterministic); carry only parts whose sizes
/// its nodes know (Demand::varying); carry blocks only to places of equal size; use equal lists of blocks
/// where several nodes combine into a place in one round; and have no more rounds than messages can number.
/// Throws what contract_for() throws.
std::vector<std::string> faults(const Schedule& schedule, const Demand& demand);

}  // namespace vnode
#pragma GCC visibility pop
