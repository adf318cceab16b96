#pragma once

#include <bit>
#include <vector>

#include <vnode/model/algorithms.hpp>

#include "building_blocks/formula.hpp"

namespace vnode {

/// Divides any p into a power of two and a rest: of the first `folded` pairs 2i, 2i+1 the even node hands its
/// vector to the odd one, and the others survive, in rank order. Contributions of a survivor stay intervals
/// of ranks.
struct Fold {
  int survivors;  ///< q = 2^floor(log2 p)
  int folded;     ///< e = p - q

  explicit Fold(int nodes)
      : survivors(static_cast<int>(std::bit_floor(static_cast<unsigned>(nodes)))),
        folded(nodes - survivors) {}

  /// Returns the rounds before and after the survivors' work: 1, or none where all survive.
  int rounds() const { return folded > 0; }
  /// Returns the cost of in, the survivors' work, out.
  Cost cost(const Cost& work) const {
    return work + combining(whole_messages(rounds())) + whole_messages(rounds());
  }
  /// Returns the rank of survivor 0 .. q - 1.
  Rank rank(int survivor) const { return survivor < folded ? 2 * survivor + 1 : survivor + folded; }
  /// Returns the ranks that a survivor stands for: its own and, if there is one, that of its folded
  /// neighbour.
  Interval ranks(int survivor) const { return {rank(survivor) - (survivor < folded), rank(survivor) + 1}; }

  /// Returns the round in which survivors take in whole vectors of `blocks` blocks.
  Schedule in(int blocks) const;
  /// Returns the round in which the neighbours get from them what they must have.
  Schedule out(int blocks) const;
  /// Returns in, what the survivors do among themselves, out.
  Schedule around(const Schedule& work) const;
  /// Returns whether two nodes may talk in a round, where the labels of survivors differ in dimension
  /// dimensions[0], then dimensions[1] ...
  bool peers(int round, Rank from, Rank to, const std::vector<int>& dimensions) const;
};

}  // namespace vnode
