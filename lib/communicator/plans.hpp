#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <vnode/element.hpp>
#include <vnode/hierarchy.hpp>
#include <vnode/lab/algorithms.hpp>
#include <vnode/lab/compose.hpp>
#include <vnode/lab/cost.hpp>
#include <vnode/lab/machine.hpp>
#include <vnode/lab/placement.hpp>
#include <vnode/lab/profile.hpp>
#include <vnode/operator.hpp>
#include <vnode/topology.hpp>

#include "communicator/call_kinds.hpp"
#include "communicator/overrides.hpp"
#include "runtime/journal.hpp"
#include "runtime/plan.hpp"
#include "select/levels.hpp"
#include "select/own_schedule.hpp"

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

/// Everything that a call's plan depends on. Equal on all nodes of a call.
struct CallKey {
  Collective collective = Collective::barrier;
  bool varying = false;  ///< counts differ between ranks
  bool keep_order = false, deterministic = false;
  Aliasing aliasing = Aliasing::none;
  Rank root = 0;
  int shift = 0;
  int segments = 0, radix = 2;
  std::size_t count = 0;                 ///< m; where counts differ, a hash of those that all nodes know
  std::vector<std::size_t> counts = {};  ///< by rank, where the plan depends on them
  std::size_t element_bytes = 1, element_alignment = 1;
  std::uint64_t element_hash = 0, operator_hash = 0;
  std::string_view element, op;                          ///< names: of the hashes above, so not compared
  std::string_view algorithm;                            ///< what the caller asks for; empty: automatic
  std::shared_ptr<const OwnSchedule::Content> own = {};  ///< the caller's schedule, or null
  Hierarchy hierarchy = {};                              ///< the caller's, if there is one

  friend bool operator==(const CallKey& a, const CallKey& b) {
    return a.count == b.count && a.root == b.root && a.collective == b.collective &&
           a.element_hash == b.element_hash && a.operator_hash == b.operator_hash &&
           a.aliasing == b.aliasing && a.keep_order == b.keep_order && a.element_bytes == b.element_bytes &&
           a.shift == b.shift && a.element_alignment == b.element_alignment && a.algorithm == b.algorithm &&
           a.deterministic == b.deterministic && a.segments == b.segments && a.radix == b.radix &&
           a.varying == b.varying && a.counts == b.counts && same(a.own.get(), b.own.get()) &&
           a.hierarchy == b.hierarchy;
  }
  std::uint64_t hash() const {
    std::uint64_t hash = count * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(root + shift * 64);
    hash = (hash ^ element_hash ^ (operator_hash << 1) ^ (static_cast<std::uint64_t>(collective) << 8) ^
            (static_cast<std::uint64_t>(aliasing) << 16) ^ (std::uint64_t{varying} << 20)) *
           0xff51afd7ed558ccd;
    if (own != nullptr) hash ^= own->hash;
    if (!algorithm.empty()) hash ^= algorithm.size() * 31 + static_cast<unsigned char>(algorithm.back());
    return hash ^ (hash >> 29);
  }

 private:
  static bool same(const OwnSchedule::Content* a, const OwnSchedule::Content* b) {
    if (a == b) return true;
    return a != nullptr && b != nullptr && a->hash == b->hash && a->schedule == b->schedule;
  }
};

/// A call, ready to be run by any node of the group.
struct PreparedCall {
  CallKey key;
  CallRecord record;
  std::uint32_t signature = 0;
  int segments = 1;  ///< that the message is cut into
  Plan plan;
  /// Where counts differ and only the two ends of a message know them: what a node's own program is made
  /// from.
  struct Varying {
    Schedule schedule;
    Contract contract;
    std::vector<std::vector<Part>> parts;  ///< by rank
  };
  std::optional<Varying> varying;
  mutable std::atomic<bool> evicted{false};  ///< it has made room for others
};

/// The bytes that a call holds while it is kept.
std::size_t bytes_of(const PreparedCall& call);

/// The plans of a team's groups, those used lately: as many as `bytes` have room for, and always the newest.
/// What a node holds stays alive however long ago it was used. Any node may ask at any time.
class PlanCache {
 public:
  /// Room for the plans of a team that calls some dozen collectives on hundreds of nodes.
  static constexpr std::size_t default_bytes = std::size_t{64} << 20;

  explicit PlanCache(std::size_t bytes = default_bytes) : room_(bytes) {}

  /// The call of this group, which becomes the newest; nullptr if it is not kept.
  std::shared_ptr<const PreparedCall> find(const void* group, const CallKey& key);
  /// Keeps a call that find() has not found, as the newest, instead of the oldest ones.
  void keep(const void* group, std::shared_ptr<const PreparedCall> call);
  /// Keeps none of this group.
  void forget(const void* group) noexcept;

  /// How many calls have had to make room. A node that holds plans for later looks whether they have.
  std::uint64_t evictions() const { return evictions_.load(std::memory_order_relaxed); }
  /// What is kept.
  std::size_t bytes() const;
  std::size_t calls() const;

 private:
  struct Hash {
    std::size_t operator()(const CallKey& key) const { return key.hash(); }
  };
  struct Entry {
    const void* group;
    std::size_t bytes;
    std::shared_ptr<const PreparedCall> call;
  };
  using Recent = std::list<Entry>;
  using Known = std::unordered_map<CallKey, Recent::iterator, Hash>;

  const std::size_t room_;
  mutable std::mutex mutex_;
  Recent recent_;                                 // newest first
  std::unordered_map<const void*, Known> known_;  // by group
  std::size_t bytes_ = 0;
  // Relaxed everywhere: nothing is read by its value.
  std::atomic<std::uint64_t> evictions_{0};
};

/// A group's one builder of plans, shared by its nodes: the first that needs a plan makes it.
class Plans {
 public:
  /// `nearness`: of the group's nodes. The plans are kept in `cache`, which may outlive the team.
  Plans(const Topology& topology, const Profile& profile, const Overrides& overrides, const CostModel& costs,
        CallKinds& kinds, Nearness nearness, std::shared_ptr<PlanCache> cache);
  ~Plans() { cache_->forget(this); }
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;

  /// Throws UsageError if the algorithm asked for does not exist or cannot run, std::bad_alloc. The nodes of
  /// a call all ask: what is refused is not looked at again for each.
  std::shared_ptr<const PreparedCall> prepare(const CallKey& key);
  const PlanCache& cache() const { return *cache_; }

 private:
  std::shared_ptr<const PreparedCall> build(const CallKey& key);

  /// How a call is carried out.
  struct Way {
    std::string_view algorithm;  ///< its name, or that of the caller's schedule
    int segments = 1;            ///< that the message is cut into
    Schedule schedule;
    Contract contract;
  };
  Demand demand_of(const CallKey& key);
  Way chosen(const CallKey& key);
  static Way own(const OwnSchedule::Content& content, const Demand& demand);

  /// A call that cannot be. Its key looks at the name that it has itself: the caller's ends with the call.
  struct Refusal {
    Refusal(const CallKey& refused, const char* why);
    Refusal(const Refusal&) = delete;
    Refusal& operator=(const Refusal&) = delete;
    const std::string algorithm;
    CallKey key;
    std::string reason;  // each node throws an exception of its own
  };

  Nearness nearness_;
  SharesOfLevels shares_;
  const Topology& topology_;
  Profile profile_;
  const Overrides& overrides_;
  const CostModel& costs_;
  CallKinds& kinds_;
  std::vector<int> extents_;
  std::shared_ptr<PlanCache> cache_;
  std::mutex mutex_;                // while a call is built, and of what follows
  std::optional<Refusal> refused_;  // the newest
};

}  // namespace vnode
