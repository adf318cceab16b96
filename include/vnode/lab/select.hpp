#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/lab/algorithms.hpp>
#include <vnode/lab/contract.hpp>
#include <vnode/lab/cost.hpp>
#include <vnode/lab/schedule.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// What an algorithm is chosen for.
struct Demand {
  Collective collective = Collective::broadcast;  ///< what is to be done
  Parameters parameters{};     ///< p, root, extents, rank order, shift; segments: 0 leaves them to the choice
  std::size_t bytes = 0;       ///< m, the operation's message size
  bool deterministic = false;  ///< only algorithms that compute the canonical expression
  bool varying = false;        ///< every rank has another count: only algorithms that can serve that
  std::string_view algorithm{};  ///< the one that is asked for by name; empty: the cheapest
  /// Messages of up to so many bytes travel in lines; the runtime writes longer results of a reduction
  /// straight to where they go, if a second round would bring them back to those they came from.
  std::size_t in_lines = 1024;
  /// near[i]: what messages cost between nodes that are apart at i levels of parameters.hierarchy
  /// (Hierarchy::apart), for all i but its levels: those cost what the call's costs say. Empty: all of them
  /// do.
  std::vector<CostModel> near{};
  /// From so many bytes on, a sender that receives nothing itself does half of its receiver's work.
  std::size_t shared_from = 16384;
};

/// What an algorithm's time is predicted from.
struct Estimate {
  double startups = 0;  ///< coefficient of t_s: for each message one, and up to one more for its length,
                        ///< until it is too long for lines and announced and answered
  double received = 0;  ///< coefficient of t_w m
  double written = 0;   ///< coefficient of t_put m: results that are written straight to where they go
  double combined = 0;  ///< coefficient of t_op m
};

/// An algorithm beside the others.
struct Candidate {
  const Algorithm* algorithm = nullptr;  ///< which one
  int segments = 1;                      ///< the cheapest number of them, for pipelined algorithms
  Hierarchy hierarchy{};                 ///< the demand's, in the cheapest form, for hierarchical algorithms
  double seconds = 0;                    ///< predicted; 0 if it cannot run
  Estimate estimate{};                   ///< what `seconds` is the sum of
  std::string excluded{};                ///< why it cannot be chosen; empty: it can
  bool congested = false;                ///< excluded for the links alone: it could run
  bool chosen = false;                   ///< the cheapest of those that can
};

/// Every algorithm of the collective, in the order of the registry, with its predicted time or why it is
/// excluded: it needs what there is not, cannot do what is demanded, or does not promise that no two messages
/// meet on a link of `topology` where others do. Where near nodes have costs of their own, a round costs what
/// its farthest message does.
std::vector<Candidate> candidates(const Demand& demand, const Topology& topology, const CostModel& costs);

/// The chosen one, or the one asked for; the first in the registry among equals. It depends on nothing but
/// its arguments, so all nodes choose alike. Throws UsageError if none can be chosen or the one asked for
/// cannot.
Candidate choose(const Demand& demand, const Topology& topology, const CostModel& costs);

/// The extents that algorithms on meshes are given: the topology's own, or those of the squarest mesh of its
/// nodes.
std::vector<int> mesh_extents(const Topology& topology);

/// Costs to go by where a machine has not been calibrated: t_s is about a cache line's way between two cores
/// of a socket, t_w a core's copying of what another has written, t_op its adding, t_put its writing.
inline constexpr CostModel typical_costs{150e-9, 0.1e-9, 0.03e-9, 0.03e-9};

/// What `schedule` must achieve to be what is demanded: the contract that Demand::collective has for its
/// number of blocks. How often the blocks of a message are there in a scan is seen by what the schedule
/// achieves: once, or twice for running totals; in an exclusive scan twice, or three times. UsageError if it
/// is for another number of nodes, if its blocks cannot be shared out equally as the collective needs, or if
/// it is so large (more than 2^15 nodes, or 2^26 blocks on all nodes together) that it would not be verified
/// in reasonable time.
Contract contract_for(const Schedule& schedule, const Demand& demand);

/// Why `schedule` cannot do what is demanded, as sentences; none: it can. It breaks its contract (see
/// verify; any number of messages may pass a node's ports), does not keep rank order for an operator that is
/// not commutative (Parameters::keep_order), does not compute the canonical expression where that is demanded
/// (Demand::deterministic), carries parts whose sizes its nodes do not know (Demand::varying), carries a
/// block into the place of one that may be of another size, lets several nodes combine into a place in one
/// round by lists of blocks that are not the same, or has more rounds than messages can number. An all_reduce
/// has the same bits on all nodes. UsageError as contract_for().
std::vector<std::string> faults(const Schedule& schedule, const Demand& demand);

}  // namespace vnode
#pragma GCC visibility pop
