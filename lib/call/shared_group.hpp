#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <vnode/model/cost.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/topology.hpp>

#include "channel/context.hpp"
#include "cluster/cluster_layout.hpp"
#include "compile/plan.hpp"
#include "select/costs.hpp"
#include "select/plans.hpp"
#include "settings/overrides.hpp"
#include "transport/fabric.hpp"

namespace vnode {

class ContextNumber;
class CountedGroups;

/// Manages the numbers of the contexts of a team's groups, each of which belongs to one group at a time. A
/// number that 65,536 groups have had is worn: the next group could not be told from the first, so it is
/// taken again only when no other number is left.
class ContextNumbers {
 public:
  /// Manages the numbers that one process of `processes` gives.
  explicit ContextNumbers(int process = 0, int processes = 1) : pool_(std::make_shared<Pool>()) {
    const int each = (message_context - 1) / processes;
    pool_->first = static_cast<std::uint16_t>(1 + process * each);
    pool_->most = static_cast<std::size_t>(each);
  }
  /// Returns a number that no group has whose first node is in this process. With `unused` it is one that no
  /// group has had yet, as long as there are such. Throws SystemError if all are in use.
  ContextNumber take(bool unused = false);

 private:
  friend ContextNumber;
  struct Use {
    std::uint16_t groups = 0;     // number of groups that have had it, modulo 65,536
    std::uint32_t last_call = 0;  // number of their newest call
  };
  struct Pool {
    std::mutex mutex;
    std::vector<std::uint16_t> free;  // taken from the end; worn ones first
    std::vector<Use> uses;            // by number, from the first on
    std::uint16_t first = 1;
    std::size_t most = 0;

    Use& use(std::uint16_t id) { return uses[static_cast<std::size_t>(id - first)]; }
  };
  std::shared_ptr<Pool> pool_;
};

/// Holds a number and gives it back at its end.
class ContextNumber {
 public:
  ContextNumber(ContextNumber&& other) noexcept = default;
  ContextNumber& operator=(ContextNumber&&) = delete;
  ~ContextNumber();

  std::uint16_t id() const { return id_; }
  /// Returns how many groups had the number before, modulo 65,536.
  std::uint16_t generation() const { return generation_; }
  /// Returns the number of the newest call of the group that has this number, or had it before. Calls of the
  /// next group are numbered on from there, modulo 2^32.
  std::uint32_t last_call() const { return last_call_; }
  void set_last_call(std::uint32_t call) { last_call_ = call; }

 private:
  friend ContextNumbers;
  ContextNumber(std::shared_ptr<ContextNumbers::Pool> pool, std::uint16_t id, std::uint16_t generation,
                std::uint32_t last_call)
      : pool_(std::move(pool)), id_(id), generation_(generation), last_call_(last_call) {}
  std::shared_ptr<ContextNumbers::Pool> pool_;
  std::uint16_t id_;
  std::uint16_t generation_;
  std::uint32_t last_call_;
};

struct SharedGroup;

/// Describes what did not match when the calls of nodes were compared, in sentences; both are empty if all
/// did.
struct Faults {
  std::string differ;  ///< nodes have made different calls
  std::string undone;  ///< calls or messages that some have made and others have not
};

/// Lists the groups that splits of a team have made and somebody still has: they outlive the run that made
/// them. When a group or a run ends, the calls of the group's members are compared: the traces of a mismatch
/// may be on boards only, which end with the group.
class SplitGroups {
 public:
  explicit SplitGroups(Fabric& fabric) : fabric_(fabric) {}

  /// Adds a group. Called within a run, on any node's thread. Throws std::bad_alloc.
  void add(SharedGroup& group);
  /// Removes a group whose last member has dropped it.
  void end(const SharedGroup& group) noexcept;
  /// Returns what was found in all groups since the last run. Called when a run is over.
  Faults examine();
  /// Returns the nodes of the group that has this context, by rank; none if it has ended. Any thread may call
  /// it.
  std::vector<Rank> nodes_of(std::uint16_t context);
  /// Renews all groups, as SharedGroup::renew() does. Called between runs.
  void renew(bool other_costs);
  /// Begins the numbers of all groups' calls again. Called between runs, when one has failed.
  void reset();
  /// Forgets the groups that are still there, since the team ends, and its fabric with it.
  void close();

 private:
  void examine(const SharedGroup& group);

  Fabric& fabric_;
  std::mutex mutex_;
  std::vector<SharedGroup*> groups_;
  Faults faults_;
};

class Member;

/// Holds what all groups of a team have in common and nobody changes while a run goes on.
struct TeamFacts {
  const Machine& machine;
  const Mapping& mapping;
  const Profile&
      messages;  ///< of messages outside of collectives, and of those whose lengths only their ends know
  const Overrides& overrides;
  Costs& costs;
  ContextNumbers& numbers;
  const std::shared_ptr<SplitGroups>& groups;
  bool checked = false;                     ///< signatures are compared before every call
  bool deterministic = false;               ///< every combining call is deterministic
  CountedGroups* counted_groups = nullptr;  ///< groups whose calls are counted; null: none are
  bool every_call = false;                  ///< checked or counted: something is done in every call
  bool usual = true;                        ///< not so, and nodes are threads
  const ClusterLayout* outside = nullptr;   ///< null: all nodes are in this process
  std::shared_ptr<PlanCache> plans = std::make_shared<PlanCache>();
};

/// Holds what the nodes of a group share.
struct SharedGroup {
  /// Makes the group whose nodes are those of `context`.
  SharedGroup(const TeamFacts& facts_, Topology topology_, Context context_)
      : facts(facts_),
        topology(std::move(topology_)),
        context(std::move(context_)),
        plans(topology, facts.overrides, facts.costs, nearness(), facts.plans) {}
  SharedGroup(const SharedGroup&) = delete;
  SharedGroup& operator=(const SharedGroup&) = delete;
  ~SharedGroup() {
    if (listed_in != nullptr) listed_in->end(*this);
    if (number) number->set_last_call(newest_call());
  }
  /// Returns the number of the newest call that any member has made. Called when no member makes calls.
  std::uint32_t newest_call() const {
    std::uint32_t newest = first_call;
    for (const auto& state : states) {
      // Relaxed: a member drops the group after its last call.
      const std::uint32_t call = History::of(state->history.load(std::memory_order_relaxed)).call;
      if (static_cast<std::int32_t>(call - newest) > 0) newest = call;
    }
    return newest;
  }

  /// Begins the numbers of calls again in a group that a split has made. Called between runs. The team's
  /// states are its fabric's.
  void reset() {
    for (const auto& state : states) {
      state->clear();
      state->begin_at(first_call);
    }
    context.clear();
  }

  Nearness nearness() const {
    return {facts.machine, facts.mapping, context.nodes(), facts.outside, context.carriers()};
  }
  /// Makes all members plan their calls anew, since the nodes are where facts.mapping says now, where
  /// messages have other costs, or the same. Called between runs.
  void renew(bool other_costs);

  const TeamFacts& facts;
  Topology topology;
  Context context;
  Plans plans;
  std::mutex members_mutex;
  std::vector<Member*> members;                      ///< those in this process; guarded by the mutex
  std::vector<std::shared_ptr<MemberState>> states;  ///< those of a group that ends before its team
  std::optional<ContextNumber> number;               ///< of such a group
  std::shared_ptr<SplitGroups> listed_in;            ///< of such a group, which may outlive its team
  std::uint32_t first_call = 0;                      ///< number of the call before the first
  std::uint16_t generation = 0;  ///< of its number: messages bear it, and those of a later group differ
};

}  // namespace vnode
