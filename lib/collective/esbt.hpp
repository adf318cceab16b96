#pragma once

#include <bit>

#include <vnode/collective.hpp>

#include "collective/formula.hpp"
#include "collective/rotated.hpp"

namespace vnode {

/// d edge-disjoint spanning binomial trees of a hypercube of 2^d nodes (Johnsson and Ho), through which the
/// segments of a message go in turn: segment i through tree i mod d. Labels are relative to the root by XOR.
/// In tree j the root sends to node 2^j, on level 0, and that to all others, on levels 1 .. d, by dimensions
/// j + 1, j + 2, ... j (mod d): a level of a tree uses one dimension. The links into a node belong to
/// different trees.
struct Esbt {
  int d, segments;
  int at_once;  ///< the segments that start in one round: 1, or d where all ports work at the same time
  Rank root;

  Esbt(const Parameters& parameters, Ports ports)
      : d(ceil_log2(parameters.nodes)),
        segments(parameters.segments),
        at_once(ports == Ports::all ? d : 1),
        root(parameters.root) {}

  /// The level on which a node other than the root receives along a dimension. In tree j a label with bit j
  /// hears along the last of its bits in the order j, j + 1, ... (mod d), from the root if it has only one;
  /// the others hear along j. So, where the label has the dimension's bit, j is the first of its bits after
  /// that.
  int level(int label, int dimension) const {
    const auto turned = static_cast<unsigned>(rotated_label(label, d - 1 - dimension, d));
    return (turned >> (d - 1)) != 0 ? d - 1 - std::countr_zero(turned) : d;
  }
  /// The tree whose level uses this dimension.
  int tree(int level, int dimension) const { return (dimension - level + d) % d; }

  /// How often segments start: 0 for one node.
  int batches() const { return d > 0 ? (segments + at_once - 1) / at_once : 0; }
  /// Those that start last, 1 .. at_once.
  int last_batch() const { return segments - (batches() - 1) * at_once; }
  /// Two nodes have no level but the first.
  int rounds() const { return batches() + (d > 1 ? d : 0); }

  /// From the root to everybody.
  Schedule broadcast() const;
  /// The links that carry a segment in this round.
  bool peers(int round, Rank from, Rank to) const;
};

/// The broadcast through these ports, and what it promises.
template <Ports ports>
struct EsbtBroadcast {
  static Schedule build(const Parameters& parameters) { return Esbt(parameters, ports).broadcast(); }
  static int rounds(const Parameters& parameters) { return Esbt(parameters, ports).rounds(); }
  static int transfers(const Parameters& parameters) { return one_per_segment.value(parameters); }
  /// A segment in every round, through one port.
  static Cost cost(const Parameters& parameters) {
    return in_parts(whole_messages(rounds(parameters)), parameters.segments);
  }
  static bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
    return Esbt(parameters, ports).peers(round, from, to);
  }
};

// Those that have duals.
namespace registered {
extern const Algorithm broadcast_esbt, broadcast_esbt_all_port;
}

}  // namespace vnode
