#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <vnode/lab/machine.hpp>
#include <vnode/lab/placement.hpp>
#include <vnode/rank.hpp>
#include <vnode/team.hpp>
#include <vnode/topology.hpp>

#include "machine/binding.hpp"
#include "runtime/waiter.hpp"

namespace vnode {

/// The number of nodes, if a team can have so many; UsageError otherwise. A greater topology is for
/// simulation.
int checked_size(int nodes);

/// Where a team's nodes run, by TeamOptions::pus or TeamOptions::mapping. Errors as told there, and
/// SystemError if the machine's memory is too small for so many nodes.
Mapping mapping_for(const Machine& machine, const Topology& topology, const TeamOptions& options);

/// Whether the team may run on other PUs, by the same policy: not if its PUs have been named.
bool may_move(const TeamOptions& options);

/// For people: the mapping's name or list, "given" for PUs.
std::string mapping_text(const Machine& machine, int nodes, const TeamOptions& options);

/// Pins the threads of a team's nodes, each to its PU, and knows what came of it.
class NodePins {
 public:
  /// `pus`: by rank, os indices. `pinning`: false, nobody is pinned. `keeps`: who calls run() stays pinned
  /// between runs.
  NodePins(std::vector<int> pus, bool pinning, bool keeps);

  /// Pins the calling thread as node `rank`, for as long as what it returns lives; null if it is not pinned.
  std::unique_ptr<PinnedThread> pin(Rank rank);
  /// The same for the caller of run(), node 0; null, too, if it stays pinned until the team ends or another
  /// thread calls.
  std::unique_ptr<PinnedThread> pin_caller();

  /// The same for a thread that joins, wherever that node ran before.
  std::unique_ptr<PinnedThread> pin_joined(Rank rank);

  bool pinning() const { return pinning_; }
  /// The PU that the node is pinned to, os index; -1: none.
  int pu(Rank rank) const { return pinning_ ? pus_[static_cast<std::size_t>(rank)] : -1; }
  /// Where it ran when it had been pinned or had joined last, os index; -1: not known.
  int pu_got(Rank rank) const { return got_[static_cast<std::size_t>(rank)]; }
  /// Why the first node that could not be pinned could not; empty if all could.
  std::string failure() const;

 private:
  std::vector<int> pus_;
  bool pinning_, keeps_;
  // By rank, each written by the node's own thread, when nobody reads:
  std::vector<std::string> failures_;
  std::vector<int> got_;
  std::thread::id caller_;  // that has been pinned last
  std::unique_ptr<PinnedThread> kept_;
};

/// Whether the CPU quota, if there is one, lets so many nodes run all the time.
bool within_quota(const Machine& machine, int nodes);
/// What a team's nodes do while they wait, by TeamOptions::wait and spin. `nodes_per_core`: so many share one
/// at most. `within_quota`: false, whoever waits takes time that others need.
WaitPolicy policy_of(const TeamOptions& options, bool own_core, int nodes_per_core, bool within_quota = true);
/// "spin for 100 us, then yield".
std::string describe(WaitPolicy policy);

}  // namespace vnode
