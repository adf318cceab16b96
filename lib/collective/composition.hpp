#pragma once

#include <vnode/collective.hpp>
#include <vnode/compose.hpp>

#include "collective/formula.hpp"

namespace vnode {

// What algorithms that are made of others promise, from the others' promises. For rows of the register:
//     .rounds = {"p - 1", Reversed<registered::scatter_linear>::rounds}

/// Another burden on the same way: round by round the pairs of `a`, as personalized(a).
template <const Algorithm& a>
struct Along {
  static int rounds(const Parameters& parameters) { return a.rounds.value(parameters); }
  static int transfers(const Parameters& parameters) { return a.transfers.value(parameters); }
  static bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
    return a.peers(parameters, round, from, to);
  }
};

/// reversed(a): the same rounds backwards. What a node receives in a round, it sent; with one port that is
/// the same amount.
template <const Algorithm& a>
struct Reversed {
  static Schedule build(const Parameters& parameters) { return reversed(a.build(parameters)); }
  static int rounds(const Parameters& parameters) { return a.rounds.value(parameters); }
  static int transfers(const Parameters& parameters) { return a.transfers.value(parameters); }
  static Cost cost(const Parameters& parameters) { return a.cost(parameters); }
  static bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
    return a.peers(parameters, rounds(parameters) - 1 - round, to, from);
  }
};

/// dual(a): reversed, and all that is received is combined.
template <const Algorithm& a>
struct Dual : Reversed<a> {
  static Schedule build(const Parameters& parameters) { return dual(a.build(parameters)); }
  static Cost cost(const Parameters& parameters) { return combining(a.cost(parameters)); }
};

/// then(a, b), where the m of `a` and `b` is the whole operation's.
template <const Algorithm& a, const Algorithm& b>
struct Then {
  static int rounds(const Parameters& parameters) {
    return a.rounds.value(parameters) + b.rounds.value(parameters);
  }
  static int transfers(const Parameters& parameters) {
    return a.transfers.value(parameters) + b.transfers.value(parameters);
  }
  static Cost cost(const Parameters& parameters) { return a.cost(parameters) + b.cost(parameters); }
  static bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
    const int first = a.rounds.value(parameters);
    return round < first ? a.peers(parameters, round, from, to)
                         : b.peers(parameters, round - first, from, to);
  }
};

/// then(a, b) by message splitting: `a` and `b` count one of p parts of the message as their m.
template <const Algorithm& a, const Algorithm& b>
struct Splitting : Then<a, b> {
  static Cost cost(const Parameters& parameters) {
    return in_parts(a.cost(parameters) + b.cost(parameters), parameters.nodes);
  }
};

}  // namespace vnode
