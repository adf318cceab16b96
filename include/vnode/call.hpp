#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/element.hpp>
#include <vnode/hierarchy.hpp>
#include <vnode/operator.hpp>
#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

class OwnSchedule;

/// What one call may ask for beyond its arguments. Equal on all nodes.
struct CallOptions {
  /// An algorithm of this collective by name ("broadcast_binomial"); empty: the cheapest by the cost
  /// functions.
  std::string_view algorithm{};
  /// Pieces a message is cut into, 65535 at most, for pipelined algorithms; 0: what the cost functions say.
  int segments = 0;
  /// The radix of k-nomial trees.
  int radix = 2;
  /// Combines by one expression whatever the algorithm, topology, mapping and size: the tree over the ranks,
  /// lowest bit first, ((0 1)(2 3))(4 5). So rounding is the same in every run.
  bool deterministic = false;
  /// A schedule of the caller's own instead of an algorithm (vnode/own_schedule.hpp), equal on all nodes. It
  /// is verified before it is first used: UsageError says why it cannot do this call. It may end when a
  /// blocking call has returned, a nonblocking one has been started, a persistent one has been planned.
  const OwnSchedule* schedule = nullptr;
  /// The domains of hierarchical algorithms, and what they do inside and across (vnode/hierarchy.hpp), equal
  /// on all nodes. Null: those of VNODE_ALGORITHM, or else of the machine that the team runs on. It may end
  /// when the call has returned.
  const Hierarchy* hierarchy = nullptr;
};

/// A range of integers of whatever type; texts are none.
template <class Range>
concept IntegerRange = std::ranges::input_range<const Range> &&
    std::integral<std::ranges::range_value_t<Range>> && !std::convertible_to<const Range&, std::string_view>;

/// How a range is divided among the ranks, in elements: part r is displacements[r] .. displacements[r] +
/// counts[r] - 1. Parts may be empty and lie in any order; those that are written do not overlap. Integers of
/// every type will do, and are copied; UsageError from the call for negative ones.
///
///     me.all_gather_v(mine, all, counts);                   // one part after the other
///     me.all_gather_v(mine, all, {3, 0, 5});
///     me.all_gather_v(mine, all, {counts, displacements});
struct Partition {
  std::vector<std::size_t> counts;         ///< one for each rank
  std::vector<std::size_t> displacements;  ///< one for each rank; empty: one part after the other

  /// Nothing is divided: what a node passes whose parts do not matter.
  Partition() = default;
  /// One part after the other.
  template <IntegerRange Counts>
  Partition(const Counts& counts_) : counts(copied(counts_)) {}
  /// Parts wherever they are.
  template <IntegerRange Counts, IntegerRange Displacements>
  Partition(const Counts& counts_, const Displacements& displacements_)
      : counts(copied(counts_)), displacements(copied(displacements_)) {}
  /// One part after the other, in braces.
  template <std::integral Count>
  Partition(std::initializer_list<Count> counts_) : counts(copied(counts_)) {}
  /// Parts wherever they are; with `{}` for displacements, one after the other.
  template <IntegerRange Counts, std::integral Displacement = std::size_t>
  Partition(const Counts& counts_, std::initializer_list<Displacement> displacements_)
      : counts(copied(counts_)), displacements(copied(displacements_)) {}
  /// Parts wherever they are, in braces.
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

/// A Partition where it lies. Negative numbers are those beyond PTRDIFF_MAX.
struct Parts {
  std::span<const std::size_t> counts{};         ///< one for each rank
  std::span<const std::size_t> displacements{};  ///< one for each rank; empty: one part after the other

  Parts() = default;
  /// Valid as long as `partition` is.
  Parts(const Partition& partition) : counts(partition.counts), displacements(partition.displacements) {}
};

/// A collective call, with the types of its arguments forgotten.
struct Arguments {
  Collective collective = Collective::barrier;  ///< what is called
  bool varying = false;                         ///< its v-variant: as many elements as the partitions say
  const void* in = nullptr;                     ///< begin of the input
  void* out = nullptr;                          ///< begin of the output
  std::size_t in_count = 0;                     ///< elements in the input's range
  std::size_t out_count = 0;                    ///< elements in the output's range
  ElementType type{};                           ///< of both
  Rank root = -1;                               ///< -1 without one
  int shift = 0;                                ///< of a circular shift
  Parts in_parts{};                             ///< of the input, where it is divided
  Parts out_parts{};                            ///< of the output, where it is divided
  Reduction reduction{};                        ///< the operator; combine is null without one
  std::shared_ptr<void> keeps{};  ///< what the operator lives in, where the call outlives its caller
  CallOptions options{};          ///< as given
};

}  // namespace vnode
#pragma GCC visibility pop
