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

/// Tells the rows of statistics apart. The names live as long as the team.
struct CountedKind {
  std::string_view operation{}, algorithm{};
  std::uint32_t group = 0;  ///< its number among CountedGroups
  int radix = 2;
  std::uint8_t size_class = 0;  ///< size_class_of()
  bool varying = false, in_order = false, deterministic = false;

  friend bool operator==(const CountedKind&, const CountedKind&) = default;
  struct Hash {
    std::size_t operator()(const CountedKind& kind) const noexcept;
  };
};

/// 0 of no bytes, else k for messages of at most 2^(k-1) bytes that are longer than half of that.
std::uint8_t size_class_of(std::size_t bytes);
/// The longest message of a class; beyond what can be counted, the most that can.
std::size_t most_bytes_of(std::uint8_t size_class);

/// For whom a node has waited, and for how long in all: in cells, a few of which serve most calls, and in one
/// for each node of the team once there have been more peers. One thread's; any other may read.
class WaitsByPeer {
 public:
  WaitsByPeer() = default;
  ~WaitsByPeer() { delete[] all_.load(std::memory_order_relaxed); }
  WaitsByPeer(const WaitsByPeer&) = delete;
  WaitsByPeer& operator=(const WaitsByPeer&) = delete;

  /// Owner. `peer`: one of so many nodes; of -1, several, nothing is kept. Without memory neither.
  void add(Rank peer, Ticks ticks, int nodes);
  /// Anyone: calls visit(peer, ticks).
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

/// A row of one node's statistics, written by the node and read by whoever wants to know.
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
  /// The row made before this one; null: this is the first.
  const CountedRow* next() const { return next_; }

  /// Owner: a call more.
  void add(std::size_t bytes, Ticks time, Ticks waiting);
  /// Owner: it has waited for this node of the team.
  void add_wait(Rank peer, Ticks ticks) { waits_.add(peer, ticks, nodes_); }

  /// Anyone. Figures of one moment.
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

/// The statistics of one node's calls. The node adds, any thread may read.
class CallCounters {
 public:
  /// `nodes`: of the team.
  explicit CallCounters(int nodes) : nodes_(nodes) {}

  /// Owner: the row of this kind, which stays where it is. Throws std::bad_alloc.
  CountedRow& row(const CountedKind& kind);
  /// Owner: the call that the calls made now are a part of, and are not counted beside; null: of none.
  CallTimes* whole() const { return whole_; }
  void set_whole(CallTimes* whole) { whole_ = whole; }

  /// Anyone: calls visit(row) for all rows that there are.
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

/// The times of a call under way, from when this is made. One thread's.
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
  /// Advances the step, as step.advance() does; with `waits` the node waits for it from now on if it is not
  /// complete.
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
  /// The node has waited.
  void waited(Rank peer, Ticks ticks);
  /// The call is complete, and is counted.
  void end(CountedRow& row, std::size_t bytes);
  /// Does the same, and counts it where count_in() has said.
  void end(std::size_t bytes) { end(*row_, bytes); }

 private:
  CallCounters& counters_;
  CountedRow* row_ = nullptr;
  Ticks begin_;
  Ticks waiting_ = 0;           // in all
  Ticks waiting_since_ = 0;     // 0: it does not wait
  std::uint64_t progress_ = 0;  // Awaited::progress when it began to wait
  Rank peer_ = -1;              // whom it waits for
  Rank noted_peer_ = -1;        // whom it has waited for while there was no row
  Ticks noted_ticks_ = 0;       // and how long
};

/// Wraps what a node waits for, an Execution or messages, and tells the call's times of each wait.
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

/// The groups of a team whose calls are counted, by number. Any thread.
class CountedGroups {
 public:
  static constexpr std::size_t most = 1000;
  struct Entry {
    std::vector<Rank> nodes;  ///< empty: of groups that have come when there were `most` already
    std::string topology;
  };
  /// The number of a group: of one with the same nodes, if there was one. Throws std::bad_alloc.
  std::uint32_t number(const std::vector<Rank>& nodes, const std::string& topology);
  std::vector<Entry> entries() const;

 private:
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  // by topology and nodes
};

}  // namespace vnode
