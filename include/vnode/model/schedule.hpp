#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes the blocks first .. last-1 of a schedule.
struct Interval {
  std::int32_t first = 0;  ///< inclusive
  std::int32_t last = 0;   ///< exclusive
  /// Returns the number of blocks.
  int size() const { return last - first; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Describes an ordered list of intervals, as a range of the schedule's pool. Only the schedule that made it
/// can read it.
struct Blocks {
  std::uint32_t first = 0;  ///< index of its first interval in the pool
  std::uint32_t count = 0;  ///< number of its intervals

  /// All blocks of the schedule, in order; every schedule's pool begins with them.
  static const Blocks whole;
  /// No block: the transfer is a signal, as in a barrier.
  static const Blocks nothing;

  friend bool operator==(const Blocks&, const Blocks&) = default;
};

inline constexpr Blocks Blocks::whole{0, 1};
inline constexpr Blocks Blocks::nothing{0, 0};

/// Says how the receiver applies a transfer to its blocks. A combine into an empty block is a move.
enum class Effect : std::uint8_t {
  replace,         ///< own = incoming
  combine_before,  ///< own = incoming op own
  combine_after,   ///< own = own op incoming
};
namespace enums {
/// Returns "replace", "combine_before" or "combine_after".
std::string_view name(Effect effect);
}

/// Moves blocks `what` of node `from` into blocks `into` of node `to`, position by position.
struct Transfer {
  Rank from = 0;                    ///< the sender
  Rank to = 0;                      ///< the receiver
  Blocks what;                      ///< the sender's blocks
  Blocks into;                      ///< the receiver's blocks, of the same length
  Effect effect = Effect::replace;  ///< how it applies to the receiver's blocks

  Transfer() = default;
  /// Moves blocks into those with the same numbers.
  Transfer(Rank from_, Rank to_, Blocks what_, Effect effect_ = Effect::replace)
      : Transfer(from_, to_, what_, what_, effect_) {}
  /// Moves blocks into others.
  Transfer(Rank from_, Rank to_, Blocks what_, Blocks into_, Effect effect_)
      : from(from_), to(to_), what(what_), into(into_), effect(effect_) {}
};
static_assert(sizeof(Transfer) <= 32 && std::is_trivially_copyable_v<Transfer>);

/// Describes transfers that happen at the same time: all of them read the state before the round. Transfers
/// of a round with equal (from, to, what) are one message. Several combines into one block are one n-ary
/// combine, evaluated in rank order with the node's own value at its own rank.
using Round = std::vector<Transfer>;

/// Describes a collective algorithm for given (p, root, parameters), as a value. It knows no bytes, threads
/// or addresses.
class Schedule {
 public:
  /// Makes an empty schedule for `nodes` >= 1 nodes and `blocks` >= 0 blocks (0 for barriers).
  Schedule(int nodes, int blocks);

  /// Returns the number of nodes, p.
  int nodes() const { return nodes_; }
  /// Returns the number of blocks that the data are divided into.
  int blocks() const { return blocks_; }
  /// Returns the rounds, in the order of time.
  const std::vector<Round>& rounds() const { return rounds_; }

  /// Appends an empty round and returns it; the reference is valid until the next call.
  Round& next_round();
  /// Returns round `index` for changes.
  Round& round(int index) { return rounds_[static_cast<std::size_t>(index)]; }
  /// Returns the list of these intervals, which it puts in the pool. Adjacent intervals are joined, and equal
  /// lists are stored once. Amortised O(list). Throws UsageError if an interval is not within the schedule's
  /// blocks.
  Blocks blocks_of(std::span<const Interval> intervals);
  /// Returns the list of one block.
  Blocks block(int index);
  /// Returns the list of blocks first .. last-1.
  Blocks interval(int first, int last);
  /// Returns the intervals of a list of this schedule, in order; for `whole` of 0 blocks, none.
  std::span<const Interval> intervals(Blocks blocks) const;
  /// Returns the number of blocks in a list.
  int count(Blocks blocks) const;

  /// Returns the memory that its rounds and lists take, in bytes.
  std::size_t held_bytes() const;

  /// Compares nodes, blocks and rounds, transfer by transfer; the order in which lists were made does not
  /// matter.
  bool operator==(const Schedule& other) const;

 private:
  int nodes_, blocks_;
  std::vector<Round> rounds_;
  Blocks kept(std::span<const Interval> list);

  std::vector<Interval> pool_;
  // The lists made so far, but `whole`: where their hash says or, if that is taken, further on; a power of
  // two.
  std::vector<Blocks> lists_;
  std::size_t made_ = 0;  // lists
};

/// Returns one transfer of every message of a round: transfers with equal (from, to, what) are one message.
std::vector<Transfer> messages(const Round& round);

}  // namespace vnode
#pragma GCC visibility pop
