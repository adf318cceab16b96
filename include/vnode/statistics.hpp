#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <vnode/cost_model.hpp>
#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes a group whose calls are counted. Groups of the same nodes in the same order, on the same
/// topology, are one.
struct GroupStatistics {
  std::vector<Rank> nodes{};      ///< the team's ranks, by rank in the group; empty: groups beyond the 1000th
  std::string topology{};         ///< as Topology::text() has it
  std::string hierarchy{};        ///< the machine's domains among the nodes, as Hierarchy::text() has them
  double nodes_per_pu = 1;        ///< how many of the nodes take turns on a PU
  std::vector<CostModel> near{};  ///< the costs between near nodes: see Demand::near (vnode/model/select.hpp)
  double turn = 0;                ///< CostModel::turn: seconds, 0 if the nodes are threads

  friend bool operator==(const GroupStatistics&, const GroupStatistics&) = default;
};

/// Holds what one node has counted of the calls of a row.
struct NodeStatistics {
  Rank node = 0;            ///< the node's rank in the team
  std::uint64_t calls = 0;  ///< calls that it has completed
  std::uint64_t bytes = 0;  ///< the sum of their bytes
  double seconds = 0;       ///< the sum of their times
  double waiting = 0;       ///< the part of it in which the node had nothing to do but wait

  friend bool operator==(const NodeStatistics&, const NodeStatistics&) = default;
};

/// Describes the calls of one operation by one algorithm, of one group and size class.
///
/// The bytes of a collective call are its message size m (docs/glossary.md); of one with a count for each
/// rank, what the node brings in; of an exchange, what it sends; of a message, its length. The time of a call
/// lasts from its beginning until the node knows that it is complete: that of a nonblocking call, which a
/// wait or a test finds complete, includes what the node does meanwhile. A node waits in a blocking call, or
/// in the wait for a nonblocking one, from when it finds nothing to do until it goes on; copying and
/// combining are not waiting.
struct CallStatistics {
  /// "all_reduce" and the names of the other collectives, "exchange", "send", "recv", "sendrecv", and
  /// "split", whose own calls are not counted apart.
  std::string operation{};
  /// The algorithm's or own schedule's name; empty for messages, exchanges and splits.
  std::string algorithm{};
  int group = 0;  ///< index into Statistics::groups
  /// The size class: messages of more than half as many bytes, and at most so many. 0 for empty ones, and for
  /// collectives with a count for each rank, which are all in one class.
  std::size_t up_to_bytes = 0;
  bool varying = false;        ///< whether there is a count for each rank
  bool in_order = false;       ///< whether the operator is not commutative
  bool deterministic = false;  ///< whether determinism was asked for
  int radix = 2;               ///< CallOptions::radix
  /// Calls: one that all nodes of a group make counts once, a message at each end.
  std::uint64_t calls = 0;
  /// The sum of the calls' bytes; with a count for each rank, and of messages, of all nodes.
  std::uint64_t bytes = 0;
  double seconds = 0;          ///< the sum of all nodes' times
  double waiting = 0;          ///< the part of it in which they waited
  double least = 0;            ///< the least time of a call on any node
  double longest = 0;          ///< the longest
  Rank awaited = -1;           ///< the node that the others have waited for the longest; -1: no single one
  double awaited_seconds = 0;  ///< the sum of the times for which they have
  /// The node that has waited least in each call on average: it comes last, and the others wait for it; or it
  /// is the root, from which the others get their data. -1 of messages, and if fewer than two nodes have made
  /// calls.
  Rank last = -1;
  std::vector<NodeStatistics> nodes{};  ///< those that have completed calls, by rank

  /// Returns the mean time of a call on a node; 0 without calls.
  double mean() const;
  /// Returns the mean size of a call; 0 without calls.
  double mean_bytes() const;

  friend bool operator==(const CallStatistics&, const CallStatistics&) = default;
};

/// Tells what a team's calls have been until now: see Team::statistics.
struct Statistics {
  bool on = false;                        ///< whether the team counts its calls; if not, there are no rows
  int process = 0;                        ///< the process's number
  std::string began{};                    ///< when the team was made, "2026-11-21T19:30:00Z"
  double seconds = 0;                     ///< how long ago that was
  int nodes = 0;                          ///< the number of nodes, p
  std::string topology{};                 ///< as Topology::text() has it
  bool joined = false;                    ///< whether the nodes are threads of the program
  std::optional<CostModel> costs{};       ///< the costs by which algorithms are chosen, once they are known
  std::vector<GroupStatistics> groups{};  ///< the team first
  /// Rows are in the order of group, operation, size class and algorithm.
  std::vector<CallStatistics> rows{};

  /// Returns a table for people: a line for each row.
  std::string text() const;
  /// Returns one line of JSON, which statistics_from_json (vnode/lab/statistics_json.hpp) reads.
  std::string json() const;

  friend bool operator==(const Statistics&, const Statistics&) = default;
};

}  // namespace vnode
#pragma GCC visibility pop
