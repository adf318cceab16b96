#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include <vnode/collective.hpp>
#include <vnode/element.hpp>
#include <vnode/operator.hpp>
#include <vnode/topology.hpp>

#include "communicator/overrides.hpp"
#include "runtime/journal.hpp"
#include "runtime/plan.hpp"

namespace vnode {

/// Everything that a call's plan depends on. Equal on all nodes of a call.
struct CallKey {
  Collective collective = Collective::barrier;
  bool keep_order = false;
  Rank root = 0;
  std::size_t count = 0;
  std::size_t element_bytes = 1, element_alignment = 1;
  std::uint64_t element_hash = 0, operator_hash = 0;
  std::string_view element, op;  ///< names: of the hashes above, so not compared
  std::string_view algorithm;    ///< what the caller asks for; empty: automatic

  friend bool operator==(const CallKey& a, const CallKey& b) {
    return a.count == b.count && a.root == b.root && a.collective == b.collective &&
           a.element_hash == b.element_hash && a.operator_hash == b.operator_hash &&
           a.keep_order == b.keep_order && a.element_bytes == b.element_bytes &&
           a.element_alignment == b.element_alignment && a.algorithm == b.algorithm;
  }
  std::uint64_t hash() const {
    std::uint64_t hash = count * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(root);
    hash = (hash ^ element_hash ^ (operator_hash << 1) ^ (static_cast<std::uint64_t>(collective) << 8)) *
           0xff51afd7ed558ccd;
    if (!algorithm.empty()) hash ^= algorithm.size() * 31 + static_cast<unsigned char>(algorithm.back());
    return hash ^ (hash >> 29);
  }
};

/// A call, ready to be run by any node of the team.
struct PreparedCall {
  CallKey key;
  const Algorithm* algorithm = nullptr;
  CallRecord record;
  std::uint32_t signature = 0;
  Plan plan;
};

/// The team's one builder of plans, shared by its nodes: the first that needs a plan makes it. Bounded; what
/// a node holds stays alive however long ago it was made.
class Plans {
 public:
  Plans(const Topology& topology, const Profile& profile, Overrides overrides);

  /// Throws UsageError if the algorithm asked for does not exist or cannot run, std::bad_alloc.
  std::shared_ptr<const PreparedCall> prepare(const CallKey& key);

 private:
  static constexpr std::size_t capacity = 512;

  const Algorithm& choose(const CallKey& key, const Parameters& parameters) const;
  std::shared_ptr<const PreparedCall> build(const CallKey& key);
  const CallKind* kind(const CallKey& key, const Algorithm& algorithm);

  struct Hash {
    std::size_t operator()(const CallKey& key) const { return key.hash(); }
  };
  using Recent = std::list<std::shared_ptr<const PreparedCall>>;

  const Topology& topology_;
  Profile profile_;
  Overrides overrides_;
  std::vector<int> extents_;
  std::mutex mutex_;
  Recent recent_;  // newest first
  std::unordered_map<CallKey, Recent::iterator, Hash> known_;
  std::list<CallKind> kinds_;  // for ever: messages and journals name them
  std::list<std::string> names_;
};

}
