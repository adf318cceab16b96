#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <string_view>
#include <type_traits>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/element.hpp>
#include <vnode/hierarchy.hpp>
#include <vnode/layouts.hpp>
#include <vnode/operator.hpp>
#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

class Neighbours;
class OwnSchedule;

/// Says what a call asks for beyond its arguments. All nodes pass equal options.
struct CallOptions {
  /// The name of an algorithm of this collective, "broadcast_binomial" or "binomial". If empty, the call
  /// takes the cheapest by the cost functions.
  std::string_view algorithm{};
  /// The number of pieces that a pipelined algorithm cuts a message into, 65535 at most. If 0, the cost
  /// functions choose it.
  int segments = 0;
  /// The radix of k-nomial trees.
  int radix = 2;
  /// Says whether the call combines by one expression whatever the algorithm, topology, mapping and size: the
  /// tree over the ranks, lowest bit first, ((0 1)(2 3))(4 5). Then rounding is the same in every run.
  bool deterministic = false;
  /// A schedule of the caller's own to run instead of an algorithm (vnode/own_schedule.hpp). It is verified
  /// before its first use: UsageError says why it cannot serve this call. It may end when a blocking call has
  /// returned, a nonblocking one has been started, a persistent one has been planned.
  const OwnSchedule* schedule = nullptr;
  /// The domains of hierarchical algorithms, and the algorithms inside and across them (vnode/hierarchy.hpp).
  /// If null, those of VNODE_ALGORITHM, or else of the machine that the team runs on. It may end when the
  /// call has returned.
  const Hierarchy* hierarchy = nullptr;

  friend bool operator==(const CallOptions&, const CallOptions&) = default;
};
/// The type of what a call without data would have.
[[gnu::visibility("hidden")]] inline constexpr ElementType no_elements{};

/// Is a range of integers of any type, but not text.
template <class Range>
concept IntegerRange = std::ranges::input_range<const Range> &&
    std::integral<std::ranges::range_value_t<Range>> && !std::convertible_to<const Range&, std::string_view>;

/// Says how a range is divided among the ranks, in elements: part r is displacements[r] .. displacements[r] +
/// counts[r] - 1. Parts may be empty and lie in any order; parts that are written do not overlap. The
/// integers may have any type and are copied; negative ones appear as those beyond PTRDIFF_MAX, and the call
/// throws UsageError for them.
///
///     me.all_gather_v(mine, all, counts);                   // one part after the other
///     me.all_gather_v(mine, all, {3, 0, 5});
///     me.all_gather_v(mine, all, {counts, displacements});
struct Partition {
  std::vector<std::size_t> counts;         ///< the length of each rank's part
  std::vector<std::size_t> displacements;  ///< begin of each rank's part; empty: one after the other

  /// Makes the partition that a node passes whose partition is not read.
  Partition() = default;
  /// Lays one part after the other.
  template <IntegerRange Counts>
  Partition(const Counts& counts_) : counts(copied(counts_)) {}
  /// Puts each part at its displacement.
  template <IntegerRange Counts, IntegerRange Displacements>
  Partition(const Counts& counts_, const Displacements& displacements_)
      : counts(copied(counts_)), displacements(copied(displacements_)) {}
  /// Lays one part after the other, from counts in braces.
  template <std::integral Count>
  Partition(std::initializer_list<Count> counts_) : counts(copied(counts_)) {}
  /// Puts each part at its displacement; with `{}` for displacements, lays one after the other.
  template <IntegerRange Counts, std::integral Displacement = std::size_t>
  Partition(const Counts& counts_, std::initializer_list<Displacement> displacements_)
      : counts(copied(counts_)), displacements(copied(displacements_)) {}
  /// Puts each part at its displacement, from lists in braces.
  template <std::integral Count, std::integral Displacement>
  Partition(std::initializer_list<Count> counts_, std::initializer_list<Displacement> displacements_)
      : counts(copied(counts_)), displacements(copied(displacements_)) {}

 private:
  template <class Integers>
  static std::vector<std::size_t> copied(const Integers& integers) {
    std::vector<std::size_t> copy;
    if constexpr (std::ranges::sized_range<const Integers>) copy.reserve(std::ranges::size(integers));
    for (const auto integer : integers) copy.push_back(static_cast<std::size_t>(integer));
    return copy;
  }
};

/// Describes a call that all nodes of a group make, a collective one or an exchange, without the types of its
/// arguments.
///
/// Types and options are pointed at, and constant where the compiler knows them, so that a call like the last
/// one is recognised by a few comparisons.
struct Arguments {
  /// Says how the input and the output are divided among the ranks, or among neighbours.
  enum class Parts : std::uint8_t {
    equal,  ///< equally
    given,  ///< by partitions: the v-variants
    pieces  ///< each part is a buffer of its own
  };
  Collective collective = Collective::barrier;  ///< the collective that is called
  Parts parts = Parts::equal;                   ///< how ranges are divided
  bool exchange = false;                   ///< whether it is an exchange: an all_to_all among neighbours only
  Rank root = -1;                          ///< the root; -1 if the collective has none
  int shift = 0;                           ///< the shift of a circular shift
  Buffer in{};                             ///< the input
  Buffer out{};                            ///< the output
  const ElementType* type = &no_elements;  ///< the type of both ranges' elements
  const OperatorType* op = nullptr;        ///< the type of the operator; null without one
  void* op_state = nullptr;              ///< the operator; a call that is complete later moves it from there
  const CallOptions* options = nullptr;  ///< the options of the call; null if it asks for nothing
  const Neighbours* neighbours = nullptr;  ///< those of an exchange; null: those in the group's topology

  /// Describes a barrier. It is not constexpr: a constant would be cleared as a whole, which takes compilers
  /// a loop of the processor's that costs more than a short call.
  Arguments() {}
};

/// Describes a message between two nodes, or one each way, without the types of their elements.
struct MessageArguments {
  /// Says which messages there are.
  enum class Operation {
    send,             ///< one is sent
    ssend,            ///< one is sent; that is complete when the receiver has begun to receive it
    recv,             ///< one is received
    sendrecv,         ///< one is sent and one received, at the same time
    sendrecv_replace  ///< the same, from and into one buffer
  };
  Operation operation = Operation::send;   ///< which messages there are
  const ElementType* type = &no_elements;  ///< the type of their elements
  Buffer sent{};                           ///< what is sent
  Rank to = no_rank;                       ///< the receiver of what is sent
  int sent_tag = 0;                        ///< the tag of what is sent
  Buffer received{};                       ///< where what is received goes
  Rank from = no_rank;                     ///< the sender of what is received, or any_source
  int received_tag = 0;                    ///< the tag of what is received, or any_tag
};

}  // namespace vnode
#pragma GCC visibility pop
