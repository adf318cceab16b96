#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/rank.hpp>
#include <vnode/team_options.hpp>
#include <vnode/topology.hpp>

#include "machine/binding.hpp"
#include "watch/waiter.hpp"

namespace vnode {

/// Returns the number of nodes if a team can have so many, and throws UsageError otherwise. A greater
/// topology is for simulation.
int checked_size(int nodes);

/// Returns where a team's nodes run, by TeamOptions::pus or TeamOptions::mapping. Throws what is told there,
/// and SystemError if the machine's memory is too small for so many nodes.
Mapping mapping_for(const Machine& machine, const Topology& topology, const TeamOptions& options);

/// Tells whether the team may run on other PUs by the same policy: not if its PUs have been named.
bool may_move(const TeamOptions& options);

/// Returns the mapping's name or list for people, "given" for PUs.
std::string mapping_text(const Machine& machine, int nodes, const TeamOptions& options);

/// Pins the threads of a team's nodes, each to its PU, and records the results.
class NodePins {
 public:
  /// Takes the nodes' PUs by rank, as os indices. Without `pinning` nobody is pinned. With `keeps`, the
  /// caller of run() stays pinned between runs.
  NodePins(std::vector<int> pus, bool pinning, bool keeps);

  /// Pins the calling thread as node `rank` until the returned object ends; returns null if it is not pinned.
  std::unique_ptr<PinnedThread> pin(Rank rank);
  /// Pins the caller of run(), as node 0. Returns null, too, if it stays pinned until the team ends or
  /// another thread calls.
  std::unique_ptr<PinnedThread> pin_caller();

  /// Pins a thread that joins as node `rank`, wherever that node ran before.
  std::unique_ptr<PinnedThread> pin_joined(Rank rank);

  bool pinning() const { return pinning_; }
  /// Returns the PU that the node is pinned to, as an os index; -1: none.
  int pu(Rank rank) const { return pinning_ ? pus_[static_cast<std::size_t>(rank)] : -1; }
  /// Returns the PU on which the node ran when it had been pinned or had joined last, as an os index; -1: not
  /// known.
  int pu_got(Rank rank) const { return got_[static_cast<std::size_t>(rank)]; }
  /// Returns why the first node that could not be pinned could not; empty if all could.
  std::string failure() const;

 private:
  std::vector<int> pus_;
  bool pinning_, keeps_;
  // By rank, each written by the node's own thread, when nobody reads:
  std::vector<std::string> failures_;
  std::vector<int> got_;
  std::thread::id caller_;  // the caller that was pinned last
  std::unique_ptr<PinnedThread> kept_;
};

/// Tells whether the CPU quota, if there is one, lets so many nodes run all the time.
bool within_quota(const Machine& machine, int nodes);
/// Returns what a team's nodes do while they wait, by TeamOptions::wait and spin. At most `nodes_per_core`
/// nodes share a core. Without `within_quota` a node that waits takes time that others need.
WaitPolicy policy_of(const TeamOptions& options, bool own_core, int nodes_per_core, bool within_quota = true);
/// Returns the policy for people: "spin for 100 us, then yield".
std::string describe(WaitPolicy policy);

}  // namespace vnode
