#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <vnode/call.hpp>
#include <vnode/element.hpp>
#include <vnode/hierarchy.hpp>
#include <vnode/model/compose.hpp>
#include <vnode/operator.hpp>

#include "compile/plan.hpp"
#include "execute/short_program.hpp"
#include "record/journal.hpp"
#include "schedule/collective_traits.hpp"
#include "select/own_schedule.hpp"

namespace vnode {

class CountedRow;

/// A pointer that is compared by the value that it points to.
template <class T>
struct ByValue {
  const T* at = nullptr;

  explicit operator bool() const { return at != nullptr; }
  const T* operator->() const { return at; }
  friend bool operator==(const ByValue& a, const ByValue& b) {
    return a.at == b.at || (a.at != nullptr && b.at != nullptr && *a.at == *b.at);
  }
};

/// Holds the part of a key that is numbers, compared and hashed member by member.
struct CallNumbers {
  std::size_t count = 0;        ///< m; where counts differ, a hash of those that all
                                ///< nodes know; unchecked: elements of input
  std::size_t out_count = 0;    ///< unchecked
  std::ptrdiff_t distance = 0;  ///< unchecked: from input to output, in bytes, where they overlap
  std::uint64_t element_hash = 0, operator_hash = 0;
  Collective collective = Collective::barrier;
  Rank root = 0;  ///< checked: -1 without one
  int shift = 0, segments = 0, radix = 2;
  std::size_t element_bytes = 1, element_alignment = 1;
  Aliasing aliasing = Aliasing::none;  ///< unchecked: none, or whatever the distance makes of it
  bool varying = false;                ///< counts differ between ranks
  bool keep_order = false, deterministic = false;
  bool at_once = false;  ///< the operator rounds once what is combined at once

  friend bool operator==(const CallNumbers&, const CallNumbers&) = default;
};

/// Holds the part of a key that refers to objects of the caller; KeptKey owns copies of them.
struct CallRequest {
  std::string_view algorithm{};           ///< what the caller asks for; empty: automatic
  ByValue<OwnSchedule> schedule{};        ///< the caller's, if there is one
  ByValue<Hierarchy> hierarchy{};         ///< the caller's, if there is one
  std::span<const std::size_t> counts{};  ///< checked: by rank, where the plan depends on them

  friend bool operator==(const CallRequest& a, const CallRequest& b) {
    return a.algorithm == b.algorithm && a.schedule == b.schedule && a.hierarchy == b.hierarchy &&
           std::ranges::equal(a.counts, b.counts);
  }
};

/// Holds everything that a call's plan depends on.
///
/// A key made from arguments is unchecked: it differs between calls that are not the same to this node. A key
/// of checked arguments is equal on all nodes of the call, since it leaves out what only one node knows.
struct CallKey : CallNumbers, CallRequest {
  std::string_view element_name{}, op_name{};  ///< hashed above, so not compared

  CallKey() = default;
  /// Makes the key of arguments that have not been checked.
  explicit CallKey(const Arguments& call) {
    // All of them by name, so that none that is added is forgotten.
    const auto& [called, divided, exchange, from_root, by, input, output, type, op, op_state, options,
                 neighbours] = call;
    const auto& [by_algorithm, pieces, of_radix, same_bits, by_schedule, of_hierarchy] =
        options != nullptr ? *options : CallOptions{};
    collective = called;
    varying = divided == Arguments::Parts::given;
    deterministic = same_bits;
    root = from_root;
    shift = by;
    segments = pieces;
    radix = of_radix;
    count = input.count;
    out_count = output.count;
    element_bytes = type->bytes;
    element_alignment = type->alignment;
    element_hash = type->hash;
    element_name = type->name;
    if (op != nullptr) {
      keep_order = !op->commutative;
      at_once = op->rounds_once;
      operator_hash = op->hash;
      op_name = op->name;
    }
    algorithm = by_algorithm;
    schedule.at = by_schedule;
    hierarchy.at = of_hierarchy;
    const auto begin = reinterpret_cast<std::uintptr_t>(input.data),
               into = reinterpret_cast<std::uintptr_t>(output.data);
    if (begin + count * type->bytes > into && into + out_count * type->bytes > begin) {
      aliasing = Aliasing::by_block;
      distance = static_cast<std::ptrdiff_t>(into - begin);
    }
  }

  const CallNumbers& numbers() const { return *this; }
  const CallRequest& request() const { return *this; }
  friend bool operator==(const CallKey& a, const CallKey& b) {
    return a.numbers() == b.numbers() && a.request() == b.request();
  }
  std::uint64_t hash() const;
};

/// Owns copies of what its key refers to, except for names. Its address must not change.
class KeptKey {
 public:
  explicit KeptKey(const CallKey& key = {}) { *this = key; }
  KeptKey(const KeptKey&) = delete;
  KeptKey& operator=(const KeptKey&) = delete;
  KeptKey& operator=(const CallKey& key);

  const CallKey& operator*() const { return key_; }
  const CallKey* operator->() const { return &key_; }

 private:
  CallKey key_;
  std::string algorithm_;
  std::optional<OwnSchedule> schedule_;
  Hierarchy hierarchy_;
  std::vector<std::size_t> counts_;
};

/// Holds a call that is ready to be run by any node of the group.
struct PreparedCall {
  explicit PreparedCall(const CallKey& call = {}) : key(call) {}

  const KeptKey key;
  CallRecord record;
  std::uint32_t signature = 0;
  int segments = 1;  ///< number of segments of the message
  std::optional<Plan> plan;
  /// Holds what a node's own program is made from if counts differ and only the two ends of a message know
  /// them.
  struct Varying {
    Schedule schedule;
    Contract contract;
    std::vector<std::vector<Part>> parts;  ///< by rank
  };
  std::optional<Varying> varying;
  mutable std::atomic<bool> evicted{false};  ///< it has been evicted from the cache
};

/// Returns the number of bytes that a call holds while it is in the cache.
std::size_t bytes_of(const PreparedCall& call);

/// Caches the plans of a team's groups that were used lately: as many as fit in `bytes`, and always the
/// newest. A plan that a node holds stays alive however long ago it was used. Any node may use the cache at
/// any time.
class PlanCache {
 public:
  /// Enough for the plans of a team that calls some dozen collectives on hundreds of nodes.
  static constexpr std::size_t default_bytes = std::size_t{64} << 20;

  explicit PlanCache(std::size_t bytes = default_bytes) : room_(bytes) {}

  /// Returns the call of this group with this key, which becomes the newest; nullptr if it is not in the
  /// cache.
  std::shared_ptr<const PreparedCall> find(const void* group, const CallKey& key);
  /// Adds a call that find() has not found, as the newest; it evicts the oldest ones if there is no room.
  void keep(const void* group, std::shared_ptr<const PreparedCall> call);
  /// Updates the size of a call, in the cache or not, which holds more or less than before.
  void weigh(const void* group, const PreparedCall& call);
  /// Removes all calls of this group.
  void forget(const void* group) noexcept;

  /// Returns the kind with this hash; the first time, it stores a copy of `kind`. Journals and messages refer
  /// to it for as long as the team lives, even when the group has ended. Throws std::bad_alloc.
  const CallKind* kept(const CallKind& kind);
  /// Returns a call with this signature, if it is in the cache or among the last that were removed; the
  /// latter have no counts. Throws std::bad_alloc.
  std::optional<PlannedCall> planned(std::uint32_t signature) const;

  /// Returns how many calls have been evicted. A node that holds plans checks whether the number has changed.
  std::uint64_t evictions() const {
    return evictions_.load(std::memory_order_acquire);  // pairs with (a)
  }
  /// Returns the size of what is in the cache.
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
  struct Kind {
    explicit Kind(const CallKind& seen);
    Kind(const Kind&) = delete;
    Kind& operator=(const Kind&) = delete;
    // Copies: these names may belong to a shared object that is unloaded some day, or to the user.
    std::string algorithm, element, op;
    CallKind kind;
  };
  using Recent = std::list<Entry>;
  using Known = std::unordered_map<CallKey, Recent::iterator, Hash>;

  const std::size_t room_;
  mutable std::mutex mutex_;
  Recent recent_;                                  // newest first
  std::unordered_map<const void*, Known> known_;   // by group
  std::unordered_map<std::uint64_t, Kind> kinds_;  // by hash
  void let_go(const Entry& entry) noexcept;
  Recent make_room() noexcept;

  std::size_t bytes_ = 0;
  // The last calls that are not kept any more: a report may name them after their group has ended.
  struct Gone {
    std::uint32_t signature = 0;
    CallRecord record;
  };
  std::array<Gone, 1024> gone_;
  std::size_t next_gone_ = 0;
  // A node that sees it change finds the calls that it counts marked; it would not look again for one missed.
  std::atomic<std::uint64_t> evictions_{0};
};

/// Keeps the plans of a node's recent calls: a call like one of them needs no check and no look into the
/// cache. Only one thread uses it.
class RecentCalls {
 public:
  struct Entry {
    KeptKey key;                ///< unchecked key of a call without partitions
    CountedRow* row = nullptr;  ///< where the node counts calls of the plan, once it is known
    // What each call looks at follows, in few lines.
    std::optional<ShortProgram> short_program;  ///< the program's ShortProgram, if it has one
    std::shared_ptr<const PreparedCall> plan;
    const Program* program = nullptr;  ///< the node's program in the plan, once it has been made

    void set(const Arguments& call, const CallKey& unchecked, std::shared_ptr<const PreparedCall> found);
    /// Lets go of the plan.
    void clear();
    /// Tells whether the arguments, which have no layouts, are valid and have this plan because those of a
    /// call like it did. Calls with partitions are not recognised.
    bool has(const Arguments& call) const {
      // All of them by name, so that none that is added is forgotten.
      const auto& [collective, parts, exchange, root, shift, in, out, type, op, op_state, options,
                   neighbours] = call;
      // Two operators of one function may have the same name, and so hash; and what has been loaded where
      // something else was unloaded may have its address.
      return known_ && type->hash == element_hash_ && op == op_ &&
             (op == nullptr || op->hash == operator_hash_) && in.count == in_count_ &&
             out.count == out_count_ && root == root_ && shift == shift_ && collective == collective_ &&
             parts == Arguments::Parts::equal && distance(in.data, out.data) == distance_ &&
             (options == nullptr ? usual_ : !usual_ && *key == CallKey(call));
    }
    /// Returns the operator of a call that has() has recognised or set() was called with; valid until the
    /// next call.
    const Reduction* reduction(const Arguments& call) {
      reduction_.state = call.op_state;
      return &reduction_;
    }

   private:
    static constexpr std::ptrdiff_t apart = std::numeric_limits<std::ptrdiff_t>::min();
    /// Returns the distance from input to output in bytes if they overlap, else `apart`.
    std::ptrdiff_t distance(const void* input, const void* output) const {
      const auto in = reinterpret_cast<std::uintptr_t>(input), out = reinterpret_cast<std::uintptr_t>(output);
      return in + in_bytes_ > out && out + out_bytes_ > in ? static_cast<std::ptrdiff_t>(out - in) : apart;
    }

    bool known_ = false;  // it is of a call without partitions
    bool usual_ = false;  // the call has no options
    Collective collective_ = Collective::barrier;
    Rank root_ = -1;
    int shift_ = 0;
    const OperatorType* op_ = nullptr;
    std::uint64_t element_hash_ = 0, operator_hash_ = 0;
    std::size_t in_count_ = 0, out_count_ = 0, in_bytes_ = 0, out_bytes_ = 0;
    std::ptrdiff_t distance_ = apart;
    Reduction reduction_;
  };

  /// Returns the entry where a call like this one may be, and makes it if it is new; which it is depends on
  /// what differs most between calls. Throws std::bad_alloc.
  Entry& at(const Arguments& call) {
    std::unique_ptr<Entry>& entry = entry_of(call);
    if (entry == nullptr) entry = std::make_unique<Entry>();
    return *entry;
  }
  /// Returns the entry that has this call, or nullptr.
  Entry* find(const Arguments& call) {
    Entry*& newest = newest_[static_cast<std::size_t>(call.collective)];
    return newest != nullptr && newest->has(call) ? newest : find_older(call, newest);
  }

  void forget_all() {
    for (const auto& entry : entries_)
      if (entry != nullptr) entry->clear();
  }
  /// Clears the entries whose plans have been evicted.
  void forget_evicted() {
    // Relaxed: PlanCache::evictions() has acquired the marks of all that it has counted.
    for (const auto& entry : entries_)
      if (entry != nullptr && entry->plan != nullptr && entry->plan->evicted.load(std::memory_order_relaxed))
        entry->clear();
  }

 private:
  [[gnu::noinline]] Entry* find_older(const Arguments& call, Entry*& newest) {
    Entry* const entry = entry_of(call).get();
    return entry != nullptr && entry->has(call) ? newest = entry : nullptr;
  }
  std::unique_ptr<Entry>& entry_of(const Arguments& call) {
    const auto number = [](const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); };
    std::size_t mixed = call.in.count + call.out.count * 3 + static_cast<std::size_t>(call.collective) * 5 +
                        static_cast<std::size_t>(call.root + 1) * 7 +
                        static_cast<std::size_t>(call.shift) * 11 + (call.in.data == call.out.data ? 13 : 0) +
                        (call.options != nullptr ? 17 : 0) + number(call.type) + number(call.op);
    if (call.options != nullptr && call.options->schedule != nullptr)
      mixed += number(call.options->schedule->content().get());
    mixed *= 0x9e3779b97f4a7c15;
    return entries_[mixed >> (64 - bits)];
  }
  static constexpr int bits = 6;
  std::array<std::unique_ptr<Entry>, std::size_t{1} << bits> entries_;  // those in which a call has been
  std::array<Entry*, all_collective_traits.size()> newest_{};           // by collective; null: none
};

}  // namespace vnode
