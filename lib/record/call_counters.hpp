#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <vnode/rank.hpp>

#include "base/pause.hpp"
#include "base/ticks.hpp"

namespace vnode {

/// Identifies a row of the statistics. The names live as long as the team.
struct CountedKind {
  std::string_view operation{}, algorithm{};
  std::uint32_t group = 0;  ///< its number in CountedGroups
  int radix = 2;
  std::uint8_t size_class = 0;  ///< size_class_of()
  bool varying = false, in_order = false, deterministic = false;

  friend bool operator==(const CountedKind&, const CountedKind&) = default;
  struct Hash {
    std::size_t operator()(const CountedKind& kind) const noexcept;
  };
};

/// Returns the size class of a message: 0 for no bytes, else k for more than 2^(k-2) and at most 2^(k-1)
/// bytes.
std::uint8_t size_class_of(std::size_t bytes);
/// Returns the length of the longest message of a class, or the greatest std::size_t if that cannot be
/// counted.
std::size_t most_bytes_of(std::uint8_t size_class);

/// Counts for which peers a node has waited, and for how long in all. A few cells serve most calls; once
/// there have been more peers, there is a cell for each node of the team. One thread writes it, and any other
/// may read it.
class WaitsByPeer {
 public:
  WaitsByPeer() = default;
  ~WaitsByPeer() { delete[] all_.load(std::memory_order_relaxed); }
  WaitsByPeer(const WaitsByPeer&) = delete;
  WaitsByPeer& operator=(const WaitsByPeer&) = delete;

  /// Adds a wait for `peer`, one of `nodes`. Keeps nothing if `peer` is -1, which stands for several peers,
  /// or if there is no memory. Only the owner calls it.
  void add(Rank peer, Ticks ticks, int nodes);
  /// Calls visit(peer, ticks) for every peer that the node has waited for. Any thread may call it.
  template <class Visit>
  void each(Visit&& visit) const {
    // Relaxed: a cell's peer and ticks are words of their own, which never go back.
    for (const Cell& cell : few_)
      if (const Rank peer = cell.peer.load(std::memory_order_relaxed); peer >= 0)
        visit(peer, cell.ticks.load(std::memory_order_relaxed));
    if (const Cell* const all = all_.load(std::memory_order_acquire))  // pairs with (a)
      for (Rank peer = 0; peer < nodes_; ++peer)
        if (const Ticks ticks = all[peer].ticks.load(std::memory_order_relaxed)) visit(peer, ticks);
  }

 private:
  struct Cell {
    std::atomic<Rank> peer{-1};
    std::atomic<Ticks> ticks{0};
  };
  Cell* cell_of(Rank peer, int nodes);

  std::array<Cell, 6> few_;
  std::atomic<Cell*> all_{nullptr};
  int nodes_ = 0;  // published by (a)
};

/// Holds a row of one node's statistics, which the node writes and any thread reads.
///
/// `version_` is odd while the figures are being changed. Whoever reads a figure of a change (b) also sees
/// the version that was made odd before (a), so figures that do not belong together are recognised by two
/// different versions, or an odd one, and read again.
class alignas(cache_line) CountedRow {
 public:
  struct Figures {
    std::uint64_t calls = 0, bytes = 0;
    Ticks time = 0, waiting = 0, least = 0, longest = 0;
  };

  CountedRow(const CountedKind& kind, const CountedRow* next, int nodes)
      : kind_(kind), next_(next), nodes_(nodes) {}

  const CountedKind& kind() const { return kind_; }
  /// Returns the row made before this one, or null if this is the first.
  const CountedRow* next() const { return next_; }

  /// Adds a call. Only the owner calls it.
  void add(std::size_t bytes, Ticks time, Ticks waiting);
  /// Adds a wait for this node of the team. Only the owner calls it.
  void add_wait(Rank peer, Ticks ticks) { waits_.add(peer, ticks, nodes_); }

  /// Returns figures that belong together, of one moment. Any thread may call it.
  Figures figures() const;
  const WaitsByPeer& waits() const { return waits_; }

 private:
  const CountedKind kind_;
  const CountedRow* const next_;
  const int nodes_;
  std::atomic<std::uint64_t> version_{0};
  std::atomic<std::uint64_t> calls_{0}, bytes_{0};
  std::atomic<Ticks> time_{0}, waiting_{0}, least_{0}, longest_{0};
  WaitsByPeer waits_;
};

class CallTimes;

/// Holds the statistics of one node's calls. The node adds to them, and any thread may read them.
class CallCounters {
 public:
  /// Counts the calls of a node in a team of `nodes`.
  explicit CallCounters(int nodes) : nodes_(nodes) {}

  /// Returns the row of this kind, whose address does not change. Only the owner calls it. Throws
  /// std::bad_alloc.
  CountedRow& row(const CountedKind& kind);
  /// Returns the call that the calls made now are a part of, and which is counted in their place; null if
  /// there is none. Only the owner calls it.
  CallTimes* whole() const { return whole_; }
  void set_whole(CallTimes* whole) { whole_ = whole; }

  /// Calls visit(row) for every row. Any thread may call it.
  template <class Visit>
  void each(Visit&& visit) const {
    for (const CountedRow* row = newest_.load(std::memory_order_acquire); row != nullptr;  // pairs with (c)
         row = row->next())
      visit(*row);
  }

 private:
  const int nodes_;
  std::unordered_map<CountedKind, std::unique_ptr<CountedRow>, CountedKind::Hash> rows_;  // the owner's
  std::atomic<const CountedRow*> newest_{nullptr};
  CallTimes* whole_ = nullptr;
};

/// Takes the times of a call in progress, from its construction on. Only one thread uses it.
class CallTimes {
 public:
  explicit CallTimes(CallCounters& counters) : counters_(counters), begin_(now()) {}
  CallTimes(const CallTimes&) = delete;
  CallTimes& operator=(const CallTimes&) = delete;

  /// Says in which row the call will be counted, if that is known before its end.
  void count_in(CountedRow& row) {
    const CallTimes* const whole = counters_.whole();
    row_ = whole != nullptr && whole != this ? whole->row_ : &row;
  }
  /// Advances the step, as step.advance() does. With `waits`, the node counts as waiting for the step from
  /// now on if it is not complete.
  template <class Step>
  bool advance(Step& step, bool waits = true) {
    if (waiting_since_ != 0) {
      const Ticks looked = now();
      const bool complete = step.advance();
      const bool got_on = complete || step.awaited().progress != progress_;
      if (!got_on && waits) return false;
      if (got_on) waited(peer_, looked - waiting_since_);
      waiting_since_ = 0;
      if (complete) return true;
    } else if (step.advance()) {
      return true;
    }
    if (!waits) return false;
    const auto next = step.awaited();
    peer_ = next.peer;
    progress_ = next.progress;
    waiting_since_ = now();
    return false;
  }
  /// Adds a wait of the node.
  void waited(Rank peer, Ticks ticks);
  /// Counts the call, which is complete.
  void end(CountedRow& row, std::size_t bytes);
  /// Counts the call, which is complete, in the row that count_in() was given.
  void end(std::size_t bytes) { end(*row_, bytes); }

 private:
  CallCounters& counters_;
  CountedRow* row_ = nullptr;
  Ticks begin_;
  Ticks waiting_ = 0;           // total
  Ticks waiting_since_ = 0;     // 0: it is not waiting
  std::uint64_t progress_ = 0;  // Awaited::progress when it began to wait
  Rank peer_ = -1;              // the node that it waits for
  Rank noted_peer_ = -1;        // the node that it last waited for without a row
  Ticks noted_ticks_ = 0;       // total of the waits without a row
};

/// Wraps what a node waits for, an Execution or messages, and adds each wait to the call's times.
template <class Step>
struct TimedStep {
  Step& step;
  CallTimes& times;

  bool advance() { return times.advance(step); }
  auto awaited() const { return step.awaited(); }
  auto watch() const { return step.watch(); }
  void look_everywhere() requires requires(Step& timed) { timed.look_everywhere(); }
  { step.look_everywhere(); }
};

/// Numbers the groups of a team whose calls are counted. Any thread may use it.
class CountedGroups {
 public:
  static constexpr std::size_t most = 1000;
  struct Entry {
    std::vector<Rank> nodes;  ///< empty: all groups after the first `most`
    std::string topology;
  };
  /// Returns the number of a group; groups with the same nodes and topology have the same. Throws
  /// std::bad_alloc.
  std::uint32_t number(const std::vector<Rank>& nodes, const std::string& topology);
  std::vector<Entry> entries() const;

 private:
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  // by topology and nodes
};

}  // namespace vnode
