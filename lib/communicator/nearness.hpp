#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <vnode/hierarchy.hpp>
#include <vnode/lab/cost.hpp>
#include <vnode/lab/machine.hpp>
#include <vnode/lab/placement.hpp>
#include <vnode/lab/profile.hpp>

namespace vnode {

class Outside;

/// Which nodes of a group are near each other, and what that means for the cost of messages.
class Nearness {
 public:
  /// `members`: the group's nodes, of those that are mapped, by rank in the group. `machine`, or several that
  /// are joined, and `outside` outlive it; that is null if all nodes of the team are in one process.
  Nearness(const Machine& machine, const Mapping& mapping, std::span<const Rank> members,
           const Outside* outside = nullptr);

  /// Returns, by rank, the process that the node is in; null: all are in one.
  const std::shared_ptr<const std::vector<int>>& processes() const { return processes_; }
  /// Machines, the processes of each, and the domains inside, as far as the group's nodes are in several.
  const Hierarchy& hierarchy() const { return hierarchy_; }
  /// A hierarchy as Hierarchy::parse reads it, by the machine's domains and "process", too; kept for the next
  /// time.
  const Hierarchy& parsed(const std::string& text);
  /// How many of the group's nodes take turns on a PU.
  double nodes_per_pu() const { return nodes_per_pu_; }
  /// What messages between the farthest nodes cost, if those between the farthest of one machine cost
  /// `costs`.
  CostModel farthest_costs(CostModel costs);
  /// Demand::near: `costs`, always the same, of messages between the farthest nodes of one machine, by level
  /// as much less, or between machines more, as is known of them. Empty without a hierarchy, or if no pair of
  /// nodes is nearer than another. Kept for the next time; valid until the next call.
  const std::vector<CostModel>& near_costs(const Hierarchy& hierarchy, const CostModel& costs);

 private:
  const MachineProfile& profile();
  const Pu& pu_of(Rank rank) const;
  /// Returns whether the nodes are in two processes of one machine.
  bool between_processes(Rank a, Rank b) const;

  const Machine* machine_;
  const Outside* outside_;
  std::shared_ptr<const std::vector<int>> processes_;
  Mapping mapping_;  // of the members
  double nodes_per_pu_;
  std::optional<MachineProfile> profile_;  // what is guessed, once asked for
  Hierarchy hierarchy_;
  std::map<std::string, Hierarchy> parsed_;
  std::vector<std::pair<Hierarchy, std::vector<CostModel>>> near_;
};

}  // namespace vnode
