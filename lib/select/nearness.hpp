#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <vnode/hierarchy.hpp>
#include <vnode/model/cost.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/model/profile.hpp>

namespace vnode {

class ClusterLayout;

/// Tells which nodes of a group are near each other, and what that means for the cost of messages.
class Nearness {
 public:
  /// Describes the group whose nodes are `members`, a subset of the mapped ones, by rank in the group.
  /// `machine`, which may be several that are joined, and `outside` outlive it; `outside` is null if all
  /// nodes of the team are in one process. `carriers`: the thread of each member; none if each has its own.
  Nearness(const Machine& machine, const Mapping& mapping, std::span<const Rank> members,
           const ClusterLayout* outside = nullptr, std::vector<int> carriers = {});

  /// Returns the process of each node, by rank; null if all are in one.
  const std::shared_ptr<const std::vector<int>>& processes() const { return processes_; }
  /// Returns the group's hierarchy: machines, the processes of each, and the domains inside, as far as the
  /// group's nodes are in several of them.
  const Hierarchy& hierarchy() const { return hierarchy_; }
  /// Returns the hierarchy that Hierarchy::parse reads, with the machine's domains, "process" and "carrier";
  /// it is kept for the next time.
  const Hierarchy& parsed(const std::string& text);
  /// Returns how many of the group's nodes take turns on a PU.
  double nodes_per_pu() const { return nodes_per_pu_; }
  /// Returns CostModel::turn.
  double turn() const { return carriers_.empty() ? 0 : turn_of_fiber; }
  /// Returns the costs of messages between the farthest nodes, if those between the farthest of one machine
  /// cost `costs`.
  CostModel farthest_costs(CostModel costs);
  /// Returns Demand::near, the costs of messages by level. `costs`, which is the same in every call, is that
  /// between the farthest nodes of one machine; nearer nodes have lesser costs, and nodes on other machines
  /// greater ones, as far as is known. Empty without a hierarchy, or if no pair of nodes is nearer than
  /// another. Kept for the next time; valid until the next call.
  const std::vector<CostModel>& near_costs(const Hierarchy& hierarchy, const CostModel& costs);

 private:
  static constexpr double turn_of_fiber = 40e-9;  // measured with 4 to 512 nodes on a carrier: 28 to 41

  const MachineProfile& profile();
  const Pu& pu_of(Rank rank) const;
  /// Tells whether the nodes are in two processes of one machine.
  bool between_processes(Rank a, Rank b) const;

  const Machine* machine_;
  const ClusterLayout* outside_;
  std::shared_ptr<const std::vector<int>> processes_;
  std::vector<int> carriers_;  // by rank; none if each node has its own
  Mapping mapping_;            // of the members
  double nodes_per_pu_;
  std::optional<MachineProfile> profile_;  // guessed at the first profile()
  Hierarchy hierarchy_;
  std::map<std::string, Hierarchy> parsed_;
  std::vector<std::pair<Hierarchy, std::vector<CostModel>>> near_;
};

}  // namespace vnode
