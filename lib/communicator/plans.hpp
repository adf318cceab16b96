#pragma once

#include <map>
#include <memory>
#include <mutex>
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
#include <vnode/topology.hpp>

#include "communicator/calibration.hpp"
#include "communicator/overrides.hpp"
#include "communicator/plan_cache.hpp"
#include "select/levels.hpp"

namespace vnode {

class Outside;

/// Which nodes of a group are near each other, and what that means for the cost of messages.
class Nearness {
 public:
  /// `members`: the group's nodes, of those that are mapped, by rank in the group. `machine`, or several that
  /// are joined, and `outside` outlive it; that is null if all nodes of the team are in one process.
  Nearness(const Machine& machine, const Mapping& mapping, std::span<const Rank> members,
           const Outside* outside = nullptr);

  /// By rank, the process that the node is in; null: all are in one.
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
  /// Of nodes in two processes of one machine.
  bool between_processes(Rank a, Rank b) const;

  const Machine& machine_;
  const Outside* outside_;
  std::shared_ptr<const std::vector<int>> processes_;
  Mapping mapping_;  // of the members
  double nodes_per_pu_;
  std::optional<MachineProfile> profile_;  // what is guessed, once asked for
  Hierarchy hierarchy_;
  std::map<std::string, Hierarchy> parsed_;
  std::vector<std::pair<Hierarchy, std::vector<CostModel>>> near_;
};

/// A group's one builder of plans, shared by its nodes: the first that needs a plan makes what is common to
/// all, and each of them its own program.
class Plans {
 public:
  /// `nearness`: of the group's nodes. The plans are kept in `cache`, which may outlive the team.
  Plans(const Topology& topology, const Overrides& overrides, Costs& costs, Nearness nearness,
        std::shared_ptr<PlanCache> cache);
  ~Plans() { cache_->forget(this); }
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;

  /// Throws UsageError if the algorithm asked for does not exist or cannot run, std::bad_alloc. The nodes of
  /// a call all ask: what is refused is not looked at again for each.
  std::shared_ptr<const PreparedCall> prepare(const CallKey& key);
  /// What a node does in a call, which it makes when it first needs it. Throws std::bad_alloc.
  const Program& program(const PreparedCall& call, Rank rank) {
    if (call.plan->has(rank)) return call.plan->program(rank);
    const Program& made = call.plan->program(rank);
    cache_->weigh(this, call);
    return made;
  }
  const PlanCache& cache() const { return *cache_; }
  /// A kind of call that stays as long as the team. Throws std::bad_alloc.
  const CallKind* kept(const CallKind& kind) { return cache_->kept(kind); }

 private:
  std::shared_ptr<const PreparedCall> build(const CallKey& key);

  Demand demand_of(const CallKey& key);

  /// A call that cannot be.
  struct Refusal {
    Refusal(const CallKey& refused, const char* why) : key(refused), reason(why) {}
    const KeptKey key;
    std::string reason;  // each node throws an exception of its own
  };

  Nearness nearness_;
  SharesOfLevels shares_;
  const Topology& topology_;
  const Overrides& overrides_;
  Costs& costs_;
  std::vector<int> extents_;
  std::shared_ptr<PlanCache> cache_;
  std::mutex mutex_;                // while a call is built, and of what follows
  std::optional<Refusal> refused_;  // the newest
};

}  // namespace vnode
