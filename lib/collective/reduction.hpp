#pragma once

#include <vnode/collective.hpp>

#include "collective/formula.hpp"
#include "collective/row.hpp"

namespace vnode {

/// The dual of a broadcast (Grama, algorithm 4.3 for any broadcast). With keep_order, where the dual for this
/// root does not combine in rank order, the dual for rank 0, and a last round in which rank 0 sends the
/// result to the root.
Schedule reduction(const Algorithm& broadcast, const Parameters& parameters);

/// The pairs that may talk in a round of it; `through_zero`: whether it takes the last round.
bool reduction_peers(const Algorithm& broadcast, bool through_zero, const Parameters& parameters, int round,
                     Rank from, Rank to);

/// Of a reduction that is in rank order for every root, or never.
constexpr bool never_through_zero(const Parameters&) { return false; }
/// Of one whose partial results run over p - 1 to 0 unless they do so between the two last ones, which is for
/// the roots 0 and `other`: whether rank order is asked for and broken.
constexpr bool breaks_order(const Parameters& parameters, Rank other) {
  return parameters.keep_order && parameters.root != 0 && parameters.root != other;
}

/// The reduction along a broadcast, and what it promises. For rows of the register:
///     row_of<ReductionAlong<broadcast_mst>>({.name = "reduce_mst", ...})
/// `through_zero`: by formula, whether it takes the last round.
template <const Algorithm& broadcast, bool (*through_zero)(const Parameters&) = never_through_zero>
struct ReductionAlong {
  static Schedule build(const Parameters& parameters) { return reduction(broadcast, parameters); }
  static int rounds(const Parameters& parameters) {
    return broadcast.rounds.value(parameters) + through_zero(parameters);
  }
  static int transfers(const Parameters& parameters) {
    return broadcast.transfers.value(parameters) + through_zero(parameters);
  }
  static Cost cost(const Parameters& parameters) {
    return combining(broadcast.cost(parameters)) + whole_messages(through_zero(parameters));
  }
  static bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
    return reduction_peers(broadcast, through_zero(parameters), parameters, round, from, to);
  }
  /// The last round's name in formulas.
  static constexpr Symbol z{
      "z",
      "1 where rank order is asked for and this root breaks it: rank 0 combines and sends the result on; "
      "otherwise 0",
      [](const Parameters& parameters) { return double(through_zero(parameters)); }};
};

}  // namespace vnode
