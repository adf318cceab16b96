#pragma once

#include <algorithm>
#include <bit>

#include <vnode/collective.hpp>

#include "collective/formula.hpp"

namespace vnode {

// All-port communication on the hypercube (Johnsson and Ho, rotated trees): every message is split into
// d = log2 p parts, and part j takes the way of another schedule with the bits of all labels rotated left by
// j. Where that uses one dimension a round, the parts use all of them, each a different one.

/// The parts of a message: d, and 1 for one node.
constexpr int rotated_parts(int p) { return std::max(1, ceil_log2(p)); }

/// The label of d bits rotated left by `by`, 0 <= by <= d.
constexpr int rotated_label(int label, int by, int d) {
  return (label << by | label >> (d - by)) & ((1 << d) - 1);
}

/// The d rotations of `a` side by side. `a` is for p = 2^d nodes and root 0, with one block, one per rank, or
/// one per pair of ranks, and uses one dimension a round. Labels are relative to the root by XOR, after the
/// rotation. Block b of `a` becomes d blocks, in the place of its rotated and relative ranks.
Schedule rotated(const Schedule& a, Rank root);

// Those that have duals or run backwards too. Broadcast and scatter are trees.
Schedule broadcast_rotated(const Parameters& parameters);
Schedule all_gather_rotated(const Parameters& parameters);
Schedule scatter_rotated(const Parameters& parameters);

namespace registered {
extern const Algorithm broadcast_rotated, all_gather_rotated, scatter_rotated;
}

/// The pairs of their round, in one of the parts: the sender's label is 0 in the part's lower dimensions
/// (Grama, algorithm 4.2), which are still to come.
bool rotated_tree_peers(const Parameters& parameters, int round, Rank from, Rank to);

/// The promises of rotated(a), from those of `a`.
template <const Algorithm& a>
struct Rotated {
  static int rounds(const Parameters& parameters) { return a.rounds.value(parameters); }
  static int transfers(const Parameters& parameters) {
    return rotated_parts(parameters.nodes) * a.transfers.value(parameters);
  }
  /// `received`: by the busiest node through all its ports.
  static Cost cost(const Parameters& parameters, double received) {
    const Cost base = a.cost(parameters);
    return {base.startups, base.words / rotated_parts(parameters.nodes), received, 0};
  }
  /// Where all nodes exchange: all links at any time.
  static bool peers(const Parameters&, int, Rank from, Rank to) {
    return std::has_single_bit(static_cast<unsigned>(from ^ to));
  }
};

}  // namespace vnode
