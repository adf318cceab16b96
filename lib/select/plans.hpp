#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <vnode/topology.hpp>

#include "select/costs.hpp"
#include "select/levels.hpp"
#include "select/nearness.hpp"
#include "select/plan_cache.hpp"
#include "settings/overrides.hpp"

namespace vnode {

/// Builds the plans of a group, for all its nodes: the first node that needs a plan makes what is common to
/// all, and each node makes its own program.
class Plans {
 public:
  /// Builds plans by the `nearness` of the group's nodes. The plans are kept in `cache`, which may outlive
  /// the team.
  Plans(const Topology& topology, const Overrides& overrides, Costs& costs, Nearness nearness,
        std::shared_ptr<PlanCache> cache);
  ~Plans() { cache_->forget(this); }
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;

  /// Returns the call with its plan. Throws std::bad_alloc, and UsageError if the algorithm asked for does
  /// not exist or cannot run. All nodes of a call ask for its plan: a call that is refused is not checked
  /// again for each.
  std::shared_ptr<const PreparedCall> prepare(const CallKey& key);
  /// Returns a node's program in a call, which it makes when it first needs it. Throws std::bad_alloc.
  const Program& program(const PreparedCall& call, Rank rank) {
    if (call.plan->has(rank)) return call.plan->program(rank);
    const Program& made = call.plan->program(rank);
    cache_->weigh(this, call);
    return made;
  }
  /// Forgets all plans, those that nodes hold too, since the nodes run elsewhere now. Called between runs.
  void renew(Nearness nearness) {
    nearness_ = std::move(nearness);
    refused_.reset();
    cache_->forget(this);
  }
  const Nearness& nearness() const { return nearness_; }
  const PlanCache& cache() const { return *cache_; }
  /// Returns a copy of the kind of call that stays as long as the team. Throws std::bad_alloc.
  const CallKind* kept(const CallKind& kind) { return cache_->kept(kind); }

 private:
  std::shared_ptr<const PreparedCall> build(const CallKey& key);

  Demand demand_of(const CallKey& key);

  /// Describes a call that has been refused.
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
  std::mutex mutex_;                // held while a call is built; guards what follows
  std::optional<Refusal> refused_;  // the newest call that was refused
};

}  // namespace vnode
