#pragma once

#include <vnode/collective.hpp>

namespace vnode {

/// The dual of a broadcast (Grama, algorithm 4.3 for any broadcast). With keep_order, where the dual for this
/// root does not combine in rank order, the dual for rank 0, and a last round in which rank 0 sends the
/// result to the root.
Schedule reduction(Schedule (*broadcast)(const Parameters&), const Parameters& parameters);

/// The promises of a reduction, from those of its broadcast. `through_zero`: by formula, whether it takes the
/// last round.
struct ReductionPromises {
  const Algorithm& broadcast;
  bool through_zero = false;

  int rounds(const Parameters& parameters) const { return broadcast.rounds.value(parameters) + through_zero; }
  int transfers(const Parameters& parameters) const {
    return broadcast.transfers.value(parameters) + through_zero;
  }
  Cost cost(const Parameters& parameters) const;
  bool peers(const Parameters& parameters, int round, Rank from, Rank to) const;
};

/// For rows of the register: `.rounds = {"log2 p + z", Reduced<promises>::rounds}`, where promises() tells
/// them for given parameters.
template <ReductionPromises (*promises)(const Parameters&)>
struct Reduced {
  static int rounds(const Parameters& parameters) { return promises(parameters).rounds(parameters); }
  static int transfers(const Parameters& parameters) { return promises(parameters).transfers(parameters); }
  static Cost cost(const Parameters& parameters) { return promises(parameters).cost(parameters); }
  static bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
    return promises(parameters).peers(parameters, round, from, to);
  }
};

}  // namespace vnode
