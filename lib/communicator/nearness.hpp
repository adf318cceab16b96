#pragma once

#include <map>
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

/// Which nodes of a group are near each other, and what that means for the cost of messages.
class Nearness {
 public:
  /// `members`: the group's nodes, of those that are mapped, by rank in the group. `machine` outlives it.
  Nearness(const Machine& machine, const Mapping& mapping, std::span<const Rank> members);

  /// The machine's domains as far as the group's nodes are in several.
  const Hierarchy& hierarchy() const { return hierarchy_; }
  /// A hierarchy as Hierarchy::parse reads it, by the machine's domains, too; kept for the next time.
  const Hierarchy& parsed(const std::string& text);
  /// Demand::near: `costs`, always the same, of messages between the farthest nodes, by level as much less as
  /// is known of the machine. Empty without a hierarchy, or if no pair of nodes is nearer than another. Kept
  /// for the next time; valid until the next call.
  const std::vector<CostModel>& near_costs(const Hierarchy& hierarchy, const CostModel& costs);

 private:
  const Machine& machine_;
  Mapping mapping_;  // of the members
  Hierarchy hierarchy_;
  std::map<std::string, Hierarchy> parsed_;
  std::vector<std::pair<Hierarchy, std::vector<CostModel>>> near_;
};

}
