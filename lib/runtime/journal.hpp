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

#include "runtime/context.hpp"

namespace vnode {

/// What all nodes of a call must agree on, but for the count. Lives as long as the team.
struct CallKind {
  std::string_view collective;
  std::string_view algorithm;
  std::string_view element;  ///< type name; empty without data
  std::string_view op;       ///< operator's name; empty without one
  std::string_view variant;  ///< "in place", "with a count for each rank"; empty for the plain form
  Rank root = -1;            ///< -1 without one
  std::uint64_t hash = 0;    ///< of all the above
  bool counts = false;       ///< each rank has a count: in place of one there is a hash of those all know
};

/// A call as reports speak of it.
struct CallRecord {
  const CallKind* kind = nullptr;
  std::size_t count = 0;

  /// A hash of everything that all nodes must agree on: it travels with every message.
  std::uint32_t signature() const {
    const std::uint64_t mixed = (kind->hash ^ count) * 0x9e3779b97f4a7c15;
    return static_cast<std::uint32_t>(mixed >> 32);
  }
  /// "reduce of 100 x double with std::plus<void> to root 3 by reduce_binomial"
  std::string text() const;
};

/// A call as it was planned.
struct PlannedCall {
  CallRecord record;
  std::vector<std::size_t> counts;  ///< by rank, where all nodes know them
};

/// A call that a journal knows.
struct NotedCall : CallRecord {
  std::uint32_t past = 0;  ///< the hash of the node's History in its context, after this call
};

/// "tag 3" or, of a MessagePattern that leaves it open, "any tag".
std::string tag_text(std::uint32_t tag);

/// What a node was doing when its journal was read.
struct CurrentCall {
  /// What a wait that has become long is for.
  struct Wait {
    int round = 0;
    Rank peer = -1;  ///< a node of the team; -1: several
  };
  std::uint16_t context = 0;
  std::uint32_t call = 0;             ///< its number, or a message's tag
  std::optional<NotedCall> record{};  ///< nothing: the node was between two calls
  std::optional<Wait> wait{};

  bool is_message() const { return Context::is_messages(context); }
};

/// "is in call 7 (reduce of 100 x double …), round 2, and waits for node 5", or "is in no vnode call".
std::string text_of(const std::optional<CurrentCall>& current);

/// A node's last calls and what it waits for, written by the node and read by whoever reports on it. Messages
/// outside of collectives have no common numbers: of them it keeps the newest only.
///
/// An entry's id is 0 while the entry is being written. Whoever reads a field of a later entry (b) also sees
/// the id that was cleared before (a), so a torn entry is recognised by its id and dropped; and so what the
/// node waits for by that of its call. Reports may lag, never lie.
class Journal {
 public:
  static constexpr std::size_t length = 64;

  /// Owner: the newest call of `history` in `context`, one of collectives, begins.
  void begin(std::uint16_t context, const History& history, const CallRecord& record) {
    write(entries_[slot(context, history.call)], id(context, history.call), record, history.hash);
  }
  /// Owner: a message with this tag begins.
  void begin_message(std::uint16_t context, std::uint32_t tag, const CallRecord& record) {
    write(message_, id(context, tag), record, 0);
  }
  /// Owner: the node is back in its own code.
  void end() { newest_.store(0, std::memory_order_relaxed); }
  /// Owner, before another group has this number: forgets the calls of those that had it.
  void forget(std::uint16_t context) {
    for (Entry& entry : entries_)
      if (((entry.id.load(std::memory_order_relaxed) - 1) >> 32) == context)
        entry.id.store(0, std::memory_order_relaxed);
  }
  /// Between runs: forgets all calls, whose numbers begin again.
  void clear() {
    for (Entry& entry : entries_) entry.id.store(0, std::memory_order_relaxed);
    message_.id.store(0, std::memory_order_relaxed);
    newest_.store(0, std::memory_order_relaxed);
  }
  /// Owner: it waits in `round` of this call, for `peer` (-1: several).
  void wait(std::uint16_t context, std::uint32_t call, std::uint16_t round, Rank peer) {
    const std::uint64_t named = id(context, call);
    newest_.store(named, std::memory_order_relaxed);
    waits_in_.store(0, std::memory_order_relaxed);
    waiting_.store(std::uint64_t{round} << 32 | static_cast<std::uint32_t>(peer),
                   std::memory_order_release);          // (a)
    waits_in_.store(named, std::memory_order_release);  // (c) the two agree
  }

  /// Anyone, of a node that waits on: the node that it waits for, or -1: several, or it is not known.
  Rank waits_for() const;
  /// Anyone: the record of a call, if the journal still has it.
  std::optional<NotedCall> find(std::uint16_t context, std::uint32_t call) const;
  /// Anyone: calls visit(context, call, record) for all collective calls that it knows.
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
  /// Anyone: the call that the node is in, with what it waits for if that takes long; nothing if it is in
  /// none.
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
  void write(Entry& entry, std::uint64_t named, const CallRecord& record, std::uint32_t past) {
    entry.id.store(0, std::memory_order_relaxed);
    entry.kind.store(record.kind, std::memory_order_release);    // (a)
    entry.count.store(record.count, std::memory_order_release);  // (a)
    entry.past.store(past, std::memory_order_release);           // (a)
    entry.id.store(named, std::memory_order_release);            // (c) the entry is whole
    newest_.store(named, std::memory_order_relaxed);
    waits_in_.store(0, std::memory_order_relaxed);
  }

  std::array<Entry, length> entries_;
  Entry message_;  // the newest
  std::atomic<std::uint64_t> newest_{0};
  /// In which call the node has waited for long, and in which round and for whom; 0: in none, or not yet.
  std::atomic<std::uint64_t> waits_in_{0}, waiting_{0};
};

}
