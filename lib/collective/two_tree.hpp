#pragma once

#include <array>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/compose.hpp>

#include "collective/formula.hpp"

namespace vnode {

/// The parent of every rank in a tree; nobody's is the root's.
using Parents = std::vector<Rank>;
inline constexpr Rank nobody = -1;

/// Two trees over the same nodes, through which the segments of a message go in turn, even ones through the
/// first tree and odd ones through the second. Inner nodes of one are leaves of the other, so that no port
/// has more than two edges. They are used in turn: every edge has a colour, the parity of its rounds.
class TwoTrees {
 public:
  /// `segments` >= 1; the second tree of one segment carries nothing.
  TwoTrees(Parents even, Parents odd, int segments);

  Rank parent(int tree, Rank rank) const { return parents_[index(tree)][index(rank)]; }
  /// The round in which the first segment of a tree arrives; -1 at its root. Its parity is the colour.
  int delay(int tree, Rank rank) const { return delays_[index(tree)][index(rank)]; }

  /// From the roots, which bring their tree's segments, to everybody.
  Schedule broadcast() const;
  int rounds() const;
  /// The edges that carry a segment in this round.
  bool peers(int round, Rank from, Rank to) const;

 private:
  struct Edge {
    int tree;
    Rank child;
    bool operator==(const Edge&) const = default;
  };

  static std::size_t index(int number) { return static_cast<std::size_t>(number); }
  int carried(int tree) const { return (segments_ + 1 - tree) / 2; }
  void find_delays(int tree);
  void paint(const Edge& edge, int colour);

  int segments_;
  int period_ = 1;  // rounds between two segments on an edge: the most edges at a port
  std::array<Parents, 2> parents_;
  std::vector<std::vector<Edge>> below_;  // the edges to children, of both trees
  std::array<std::vector<int>, 2> colours_, delays_;
};

/// Rank 0 is the root of both; below it the in-order tree of ranks 1 .. p - 1, and the same mirrored
/// (Sanders, Speck, Traeff 2009). With keep_order subtrees are intervals of ranks in the second tree too
/// where p is even.
TwoTrees two_trees(const Parameters& parameters);
/// Rank 0 is the root of the first, below it the same in-order tree; the second is the first mirrored, or for
/// odd p shifted by one rank (NCCL).
TwoTrees double_binary_trees(const Parameters& parameters);

/// An all_reduce up both trees and down again, and what it promises.
template <TwoTrees (*trees)(const Parameters&)>
struct UpAndDown {
  static Schedule build(const Parameters& parameters) {
    const Schedule down = trees(parameters).broadcast();
    return then(dual(down), down);
  }
  static int rounds(const Parameters& parameters) { return 2 * trees(parameters).rounds(); }
  static int transfers(const Parameters& parameters) {
    return 2 * parameters.segments * (parameters.nodes - 1);
  }
  static Cost cost(const Parameters& parameters) {
    const Cost down = in_parts(whole_messages(trees(parameters).rounds()), parameters.segments);
    return combining(down) + down;
  }
  static bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
    const TwoTrees both = trees(parameters);
    const int turn = both.rounds();
    return round < turn ? both.peers(turn - 1 - round, to, from) : both.peers(round - turn, from, to);
  }
};

}  // namespace vnode
