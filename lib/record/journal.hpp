#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/rank.hpp>

#include "record/history.hpp"

namespace vnode {

/// Describes what all nodes of a call must agree on, but for the count. It lives as long as the team.
struct CallKind {
  std::string_view collective;
  std::string_view algorithm;
  std::string_view element;  ///< type name; empty without data
  std::string_view op;       ///< operator's name; empty without one
  std::string_view variant;  ///< "in place", "with a count for each rank"; empty for the plain form
  Rank root = -1;            ///< -1 without one
  std::uint64_t hash = 0;    ///< of all the above
  bool counts = false;       ///< each rank has a count: CallRecord::count is a hash of those all know
};

/// Describes a call for reports.
struct CallRecord {
  const CallKind* kind = nullptr;
  std::size_t count = 0;

  /// Returns a hash of everything that all nodes must agree on: it travels with every message.
  std::uint32_t signature() const {
    const std::uint64_t mixed = (kind->hash ^ count) * 0x9e3779b97f4a7c15;
    return static_cast<std::uint32_t>(mixed >> 32);
  }
  /// Returns a text such as "reduce of 100 x double with std::plus<void> to root 3 by reduce_binomial".
  std::string text() const;
};

/// Describes a call as it was planned.
struct PlannedCall {
  CallRecord record;
  std::vector<std::size_t> counts;  ///< by rank, where all nodes know them
};

/// Describes a call that a journal knows.
struct NotedCall : CallRecord {
  std::uint32_t past = 0;  ///< the hash of the node's History in its context, after this call
};

/// Returns "tag 3" or, for any_tag, "any tag".
std::string tag_text(std::uint32_t tag);

/// Describes what a node was doing when its journal was read.
struct CurrentCall {
  /// Describes what a wait that has become long is for.
  struct Wait {
    int round = 0;
    Rank peer = -1;  ///< a node of the team; -1: several
  };
  std::uint16_t context = 0;
  std::uint32_t call = 0;             ///< its number, or a message's tag
  std::optional<NotedCall> record{};  ///< nothing if the journal does not have the call
  std::optional<Wait> wait{};

  bool is_message() const { return is_message_context(context); }
};

/// Returns a text such as "is in call 7 (reduce of 100 x double …), round 2, and waits for node 5", or "is in
/// no vnode call".
std::string text_of(const std::optional<CurrentCall>& current);

/// Records a node's last calls and what it waits for. The node writes it, and any thread that reports on the
/// node reads it. Messages outside of collectives have no common numbers, so it keeps only the newest.
///
/// An entry's id is 0 while the entry is being written. A thread that reads a field of a later entry (b) also
/// sees the id that was cleared before (a), so a torn entry is recognised by its id and dropped. A torn
/// record of what the node waits for is recognised in the same way, by the id of its call. Reports may be
/// late, but never wrong.
class Journal {
 public:
  static constexpr std::size_t length = 64;

  /// Owner: notes that the newest call of `history` begins in `context`, which is one of collectives.
  void begin(std::uint16_t context, const History& history, const CallRecord& record) {
    write(entries_[slot(context, history.call)], id(context, history.call), record, history.hash);
  }
  /// Owner: notes that a message with this tag begins.
  [[gnu::always_inline]] void begin_message(std::uint16_t context, std::uint32_t tag,
                                            const CallRecord& record) {
    write(message_, id(context, tag), record, 0);
  }
  /// Owner: notes that the node is in no call any more.
  void end() { newest_.store(0, std::memory_order_relaxed); }
  /// Owner: forgets the calls of the groups that had this context, before another group gets it.
  void forget(std::uint16_t context) {
    for (Entry& entry : entries_)
      if (((entry.id.load(std::memory_order_relaxed) - 1) >> 32) == context)
        entry.id.store(0, std::memory_order_relaxed);
  }
  /// Forgets, between runs, all calls, whose numbers begin again.
  void clear() {
    for (Entry& entry : entries_) entry.id.store(0, std::memory_order_relaxed);
    message_.id.store(0, std::memory_order_relaxed);
    newest_.store(0, std::memory_order_relaxed);
  }
  /// Owner: notes that the node waits in `round` of this call for `peer` (-1: several).
  void wait(std::uint16_t context, std::uint32_t call, std::uint16_t round, Rank peer) {
    const std::uint64_t named = id(context, call);
    newest_.store(named, std::memory_order_relaxed);
    waits_in_.store(0, std::memory_order_relaxed);
    waiting_.store(std::uint64_t{round} << 32 | static_cast<std::uint32_t>(peer),
                   std::memory_order_release);          // (a)
    waits_in_.store(named, std::memory_order_release);  // (c) the two agree
  }

  /// Anyone: returns the node that this one waits for, if it goes on waiting; -1 if there are several, or it
  /// is not known.
  Rank waits_for() const;
  /// Anyone: returns the record of a call, if the journal still has it.
  std::optional<NotedCall> find(std::uint16_t context, std::uint32_t call) const;
  /// Anyone: calls visit(context, call, record) for all collective calls that the journal knows.
  template <class Visit>
  void each(Visit&& visit) const {
    for (const Entry& entry : entries_) {
      const std::uint64_t named = entry.id.load(std::memory_order_relaxed);
      if (named == 0) continue;
      const auto context = static_cast<std::uint16_t>((named - 1) >> 32);
      const auto call = static_cast<std::uint32_t>(named - 1);
      if (const auto record = find(context, call)) visit(context, call, *record);
    }
  }
  /// Anyone: returns the call that the node is in, with what it waits for if that takes long; nothing if it
  /// is in none.
  std::optional<CurrentCall> current() const;

 private:
  struct alignas(32) Entry {  // in one cache line
    std::atomic<std::uint64_t> id{0};
    std::atomic<const CallKind*> kind{nullptr};
    std::atomic<std::size_t> count{0};
    std::atomic<std::uint32_t> past{0};
  };
  static std::uint64_t id(std::uint16_t context, std::uint32_t call) {
    return (std::uint64_t{context} << 32 | call) + 1;
  }

  static std::size_t slot(std::uint16_t context, std::uint32_t call) {
    return (context * 29u + call) % length;
  }
  [[gnu::always_inline]] void write(Entry& entry, std::uint64_t named, const CallRecord& record,
                                    std::uint32_t past) {
    entry.id.store(0, std::memory_order_relaxed);
    entry.kind.store(record.kind, std::memory_order_release);    // (a)
    entry.count.store(record.count, std::memory_order_release);  // (a)
    entry.past.store(past, std::memory_order_release);           // (a)
    entry.id.store(named, std::memory_order_release);            // (c) the entry is whole
    newest_.store(named, std::memory_order_relaxed);
    waits_in_.store(0, std::memory_order_relaxed);
  }

  std::array<Entry, length> entries_;
  Entry message_;  // the newest message
  std::atomic<std::uint64_t> newest_{0};
  /// The call in which the node has waited for long, and the round and the peer of that wait; waits_in_ is 0
  /// if there is none.
  std::atomic<std::uint64_t> waits_in_{0}, waiting_{0};
};

}
