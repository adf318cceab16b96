#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Blocks first .. last-1 of a schedule.
struct Interval {
  std::int32_t first = 0;  ///< inclusive
  std::int32_t last = 0;   ///< exclusive
  /// The number of blocks.
  int size() const { return last - first; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// An ordered list of intervals: a range of the schedule's pool. Only the schedule that made it can read it.
struct Blocks {
  std::uint32_t first = 0;  ///< its first interval's place in the pool
  std::uint32_t count = 0;  ///< of intervals

  static const Blocks
      whole;  ///< all blocks of the schedule, in order: every schedule's pool begins with them
  static const Blocks nothing;  ///< no block: a signal, as barriers send

  friend bool operator==(const Blocks&, const Blocks&) = default;
};

inline constexpr Blocks Blocks::whole{0, 1};
inline constexpr Blocks Blocks::nothing{0, 0};

/// What the receiver does with what arrives. A combine into an empty place is a move.
enum class Effect : std::uint8_t {
  replace,         ///< own = incoming
  combine_before,  ///< own = incoming op own
  combine_after,   ///< own = own op incoming
};
/// "replace", "combine_before", "combine_after".
std::string_view name(Effect effect);

/// One movement of blocks `what` of node `from` into blocks `into` of node `to`, position by position.
struct Transfer {
  Rank from = 0;                    ///< the sender
  Rank to = 0;                      ///< the receiver
  Blocks what;                      ///< as the sender numbers them
  Blocks into;                      ///< where they go, of the same length
  Effect effect = Effect::replace;  ///< on the receiver's blocks

  Transfer() = default;
  /// Into the blocks that have the same numbers.
  Transfer(Rank from_, Rank to_, Blocks what_, Effect effect_ = Effect::replace)
      : Transfer(from_, to_, what_, what_, effect_) {}
  /// Into other blocks.
  Transfer(Rank from_, Rank to_, Blocks what_, Blocks into_, Effect effect_)
      : from(from_), to(to_), what(what_), into(into_), effect(effect_) {}
};
static_assert(sizeof(Transfer) <= 32 && std::is_trivially_copyable_v<Transfer>);

/// Transfers that happen at the same time: all of them read the state before the round.
/// Transfers of a round with equal (from, to, what) are one message. Several combines into one place are one
/// n-ary combine, evaluated in rank order with the own value at its own rank.
using Round = std::vector<Transfer>;

/// A collective algorithm for given (p, root, parameters), as a value. It knows no bytes, threads or
/// addresses.
class Schedule {
 public:
  /// `nodes` >= 1; `blocks` >= 0 (0 for barriers).
  Schedule(int nodes, int blocks);

  /// p.
  int nodes() const { return nodes_; }
  /// The number of blocks that the data are divided into.
  int blocks() const { return blocks_; }
  /// In the order of time.
  const std::vector<Round>& rounds() const { return rounds_; }

  /// Appends an empty round and returns it; the reference is valid until the next call.
  Round& next_round();
  /// Round `index`, to be changed.
  Round& round(int index) { return rounds_[static_cast<std::size_t>(index)]; }
  /// Puts intervals in the pool. Neighbouring intervals are joined; equal lists share one place. Amortised
  /// O(list). UsageError if an interval is not within the schedule's blocks.
  Blocks blocks_of(std::span<const Interval> intervals);
  /// The list of one block.
  Blocks block(int index);
  /// The list of blocks first .. last-1.
  Blocks interval(int first, int last);
  /// The intervals that a Blocks of this schedule stands for, in order; for `whole` of 0 blocks, none.
  std::span<const Interval> intervals(Blocks blocks) const;
  /// The number of blocks in a Blocks.
  int count(Blocks blocks) const;

  /// The same nodes, blocks and rounds, transfer by transfer; the order in which lists were made does not
  /// matter.
  bool operator==(const Schedule& other) const;

 private:
  int nodes_, blocks_;
  std::vector<Round> rounds_;
  std::vector<Interval> pool_;
  std::unordered_multimap<std::size_t, Blocks> lists_;  // by hash: the lists made so far, but `whole`
};

/// One transfer of every message of a round: transfers with equal (from, to, what) are one message.
std::vector<Transfer> messages(const Round& round);

}  // namespace vnode
#pragma GCC visibility pop
