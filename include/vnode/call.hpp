#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

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

/// How a range is divided among the ranks, in elements: part r is displacements[r] .. displacements[r] +
/// counts[r] - 1. Parts may be empty and lie in any order; those that are written do not overlap.
struct Partition {
  std::span<const std::size_t> counts;           ///< one for each rank
  std::span<const std::size_t> displacements{};  ///< one for each rank; empty: one part after the other
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
  Partition in_parts{};                         ///< of the input, where it is divided
  Partition out_parts{};                        ///< of the output, where it is divided
  Reduction reduction{};                        ///< the operator; combine is null without one
  std::shared_ptr<void> keeps{};  ///< what the operator lives in, where the call outlives its caller
  CallOptions options{};          ///< as given
};

}  // namespace vnode
#pragma GCC visibility pop
