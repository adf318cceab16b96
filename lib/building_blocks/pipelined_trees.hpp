#pragma once

#include <vector>

#include <vnode/model/schedule.hpp>

namespace vnode {

/// Holds the parent of every rank in a tree; that of the root is `nobody`.
using Parents = std::vector<Rank>;
inline constexpr Rank nobody = -1;

/// Holds a tree, and the round in which the first segment that goes down it arrives at every rank, counted
/// from 0; -1 at the root.
struct TimedTree {
  Parents parents;
  std::vector<int> delays;
};

/// Holds trees over the same nodes, down which the segments of a message go in turn, the first through the
/// first tree. A tree's next segment follows `period` rounds after the one before, on every edge.
class PipelinedTrees {
 public:
  /// Takes `segments` >= 1. No port has two edges with the same delay modulo `period`.
  PipelinedTrees(std::vector<TimedTree> trees, int segments, int period);

  Rank parent(int tree, Rank rank) const { return at(trees_, tree).parents[static_cast<std::size_t>(rank)]; }
  int delay(int tree, Rank rank) const { return at(trees_, tree).delays[static_cast<std::size_t>(rank)]; }
  int nodes() const { return static_cast<int>(trees_[0].parents.size()); }
  int trees() const { return static_cast<int>(trees_.size()); }
  int period() const { return period_; }
  /// Returns how many segments go through a tree.
  int carried(int tree) const { return (segments_ + trees() - 1 - tree) / trees(); }
  /// Returns the number of a tree's i-th segment.
  int segment(int tree, int i) const { return trees() * i + tree; }

  /// Returns the schedule that brings each tree's segments from its root to everybody.
  Schedule broadcast() const;
  int rounds() const;
  /// Returns whether an edge of a tree carries a segment in this round.
  bool carries(int tree, int round, Rank from, Rank to) const;
  /// Returns whether an edge of any tree does.
  bool peers(int round, Rank from, Rank to) const;

  /// Returns the same with rank 0 called `root`, 1 called root + 1 and so on, modulo p.
  PipelinedTrees rotated(Rank root) const;

 private:
  static const TimedTree& at(const std::vector<TimedTree>& trees, int tree) {
    return trees[static_cast<std::size_t>(tree)];
  }

  std::vector<TimedTree> trees_;
  int segments_, period_;
};

}  // namespace vnode
