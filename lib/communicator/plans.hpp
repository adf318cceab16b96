#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/compose.hpp>
#include <vnode/cost.hpp>
#include <vnode/element.hpp>
#include <vnode/operator.hpp>
#include <vnode/own_schedule.hpp>
#include <vnode/topology.hpp>

#include "communicator/call_kinds.hpp"
#include "communicator/nearness.hpp"
#include "communicator/overrides.hpp"
#include "runtime/journal.hpp"
#include "runtime/plan.hpp"
#include "select/levels.hpp"

namespace vnode {

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
};

/// A group's one builder of plans, shared by its nodes: the first that needs a plan makes it. Bounded; what
/// a node holds stays alive however long ago it was made.
class Plans {
 public:
  /// `nearness`: of the group's nodes.
  Plans(const Topology& topology, const Profile& profile, const Overrides& overrides, const CostModel& costs,
        CallKinds& kinds, Nearness nearness);

  /// Throws UsageError if the algorithm asked for does not exist or cannot run, std::bad_alloc. The nodes of
  /// a call all ask: what is refused is not looked at again for each.
  std::shared_ptr<const PreparedCall> prepare(const CallKey& key);

 private:
  static constexpr std::size_t capacity = 512;

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

  struct Hash {
    std::size_t operator()(const CallKey& key) const { return key.hash(); }
  };
  using Recent = std::list<std::shared_ptr<const PreparedCall>>;
  /// A call that cannot be. Its key looks at the name that it has itself: the caller's ends with the call.
  struct Refusal {
    Refusal(const CallKey& refused, std::exception_ptr why);
    Refusal(const Refusal&) = delete;
    Refusal& operator=(const Refusal&) = delete;
    const std::string algorithm;
    CallKey key;
    std::exception_ptr reason;
  };

  Nearness nearness_;
  SharesOfLevels shares_;
  const Topology& topology_;
  Profile profile_;
  const Overrides& overrides_;
  const CostModel& costs_;
  CallKinds& kinds_;
  std::vector<int> extents_;
  std::mutex mutex_;
  Recent recent_;  // newest first
  std::unordered_map<CallKey, Recent::iterator, Hash> known_;
  std::optional<Refusal> refused_;  // the newest
};

}
