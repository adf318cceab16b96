#pragma once

#include <array>
#include <vector>

#include <vnode/collective.hpp>

#include "collective/formula.hpp"
#include "collective/pipelined_trees.hpp"
#include "collective/row.hpp"
#include "collective/scan.hpp"

namespace vnode {

/// Prefix sums on two trees in rank order (Sanders, Speck, Traeff 2009). Up the trees go the totals of
/// subtrees, where a rank above wants them; then the sums of all ranks below a subtree go down. A node adds
/// the total of its lower subtree and, for its upper one, its own contribution. Blocks, k of each: results;
/// for exclusive prefixes, the same with the own contribution; running totals.
class TreeScan {
 public:
  TreeScan(const Parameters& parameters, Prefix prefix);

  Schedule schedule() const;
  int rounds() const { return up_rounds() + trees_.rounds(); }
  int transfers() const;
  /// What the node that combines most in a round combines, in segments, all rounds together.
  int combined() const;
  bool peers(int round, Rank from, Rank to) const;

 private:
  enum class Way { up, down };
  /// The edge between a node and its parent, in one direction.
  struct Edge {
    int tree;
    Rank child;
    Way way;
  };
  /// In which block a message goes, of those that each node has for one segment.
  struct Arrival {
    int copy;
    Effect effect;
  };
  struct Place {
    bool lower = false, upper = false;  // has a child of lower, of higher rank
    bool wanted = true;                 // its total: not where no rank is above its subtree
  };

  template <class Visit>
  void each_edge(const Visit& visit) const;
  int round(const Edge& edge, int i) const;
  int sent(const Edge& edge) const;
  std::vector<Arrival> arrivals(const Edge& edge) const;
  const Place& place(int tree, Rank rank) const {
    return places_[static_cast<std::size_t>(tree)][static_cast<std::size_t>(rank)];
  }
  int up_rounds() const { return static_cast<int>(up_times_.size()); }
  int with_own() const { return prefix_ == Prefix::exclusive ? 1 : 0; }
  int total() const { return with_own() + 1; }

  PipelinedTrees trees_;
  int segments_;
  Prefix prefix_;
  std::array<std::vector<Place>, 2> places_;
  std::vector<int> up_times_;   // by round: the round of the broadcast of which it is the reverse
  std::vector<int> up_rounds_;  // by round of the broadcast: its reverse, if it has one
};

/// What a scan on two trees promises.
template <Prefix prefix>
struct OnTwoTrees {
  static TreeScan made(const Parameters& parameters) { return {parameters, prefix}; }
  static Schedule build(const Parameters& parameters) { return remembered<made>(parameters).schedule(); }
  static int rounds(const Parameters& parameters) { return remembered<made>(parameters).rounds(); }
  static int transfers(const Parameters& parameters) { return remembered<made>(parameters).transfers(); }
  static Cost cost(const Parameters& parameters) {
    const TreeScan& scan = remembered<made>(parameters);
    const double words = double(scan.rounds()) / parameters.segments;
    return {double(scan.rounds()), words, words, double(scan.combined()) / parameters.segments};
  }
  static bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
    return remembered<made>(parameters).peers(round, from, to);
  }
  /// Its names in formulas.
  static constexpr Symbol symbols[] = {
      {"D", "the rounds beyond two for each segment",
       [](const Parameters& parameters) { return double(rounds(parameters) - 2 * parameters.segments); }},
      {"u", "the totals that no rank wants: those of the last one and of the nodes above it, of each segment",
       [](const Parameters& parameters) {
         return double(2 * parameters.segments * (parameters.nodes - 1) - transfers(parameters));
       }},
      {"C",
       "what the node that combines most in a round combines beyond a segment, all rounds together, in m",
       [](const Parameters& parameters) {
         const Cost all = cost(parameters);
         return all.combined - all.words;
       }}};
};

/// The row of such a scan.
template <Prefix prefix>
constexpr Algorithm two_tree_scan(std::string_view name) {
  return row_of<OnTwoTrees<prefix>>({
      .name = name,
      .collective = prefix == Prefix::inclusive ? Collective::scan : Collective::exclusive_scan,
      .rounds = "(2 k + D) [p > 1]",
      .transfers = "2 k (p - 1) - u",
      .time = "(2 k + D) [p > 1] (t_s + (t_w + t_op) m / k) + t_op m C",
      .symbols = OnTwoTrees<prefix>::symbols,
      .segments = true,
      .carriers = fully_connected,
      .sweep_to = 130,
      .best_for = "long messages, any number of nodes, all pairs linked",
      .source = "Sanders, Speck, Traeff 2009, two-tree algorithms",
  });
}

}  // namespace vnode
