// Prefix sums on two trees in rank order (Sanders, Speck, Traeff 2009). Up the trees go the totals of
// subtrees, where a rank above wants them; then the sums of all ranks below a subtree go down. A node adds
// the total of its lower subtree and, for its upper one, its own contribution. Blocks, k of each: results;
// for exclusive prefixes, the same with the own contribution; running totals.
#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "building_blocks/remembered.hpp"
#include "building_blocks/row.hpp"
#include "building_blocks/two_trees.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace two_tree_scan {

class TreeScan {
 public:
  TreeScan(const Parameters& parameters, bool exclusive);

  Schedule schedule() const;
  int rounds() const { return up_rounds() + trees_.rounds(); }
  int transfers() const;
  /// Returns what the node that combines most in a round combines, in segments, all rounds together.
  int combined() const;
  bool peers(int round, Rank from, Rank to) const;

 private:
  enum class Way { up, down };
  /// Describes the edge between a node and its parent, in one direction.
  struct Edge {
    int tree;
    Rank child;
    Way way;
  };
  /// Says in which block a message goes, of those that each node has for one segment.
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
  int with_own() const { return exclusive_ ? 1 : 0; }
  int total() const { return with_own() + 1; }

  PipelinedTrees trees_;
  int segments_;
  bool exclusive_;
  std::array<std::vector<Place>, 2> places_;
  std::vector<int> up_times_;   // by round: the round of the broadcast of which it is the reverse
  std::vector<int> up_rounds_;  // by round of the broadcast: its reverse, if it has one
};

PipelinedTrees trees_in_order(Parameters parameters) {
  parameters.keep_order = true;
  return two_trees(parameters);
}

TreeScan::TreeScan(const Parameters& parameters, bool exclusive)
    : trees_(trees_in_order(parameters)), segments_(parameters.segments), exclusive_(exclusive) {
  const int p = trees_.nodes(), turn = trees_.rounds();
  std::vector<bool> used(static_cast<std::size_t>(turn));
  for (const int tree : {0, 1}) {
    std::vector<Place>& places = places_[static_cast<std::size_t>(tree)];
    places.resize(static_cast<std::size_t>(p));
    for (Rank last = p - 1; last != nobody; last = trees_.parent(tree, last))
      places[static_cast<std::size_t>(last)].wanted = false;
    for (Rank child = 0; child < p; ++child) {
      const Rank parent = trees_.parent(tree, child);
      if (parent == nobody) continue;
      (child < parent ? places[static_cast<std::size_t>(parent)].lower
                      : places[static_cast<std::size_t>(parent)].upper) = true;
      for (int i = 0; i < trees_.carried(tree) && place(tree, child).wanted; ++i)
        used[static_cast<std::size_t>(trees_.delay(tree, child) + trees_.period() * i)] = true;
    }
  }
  up_rounds_.resize(used.size());
  for (int time = turn - 1; time >= 0; --time) {
    up_rounds_[static_cast<std::size_t>(time)] = up_rounds();
    if (used[static_cast<std::size_t>(time)]) up_times_.push_back(time);
  }
}

template <class Visit>
void TreeScan::each_edge(const Visit& visit) const {
  for (const int tree : {0, 1})
    for (Rank child = 0; child < trees_.nodes(); ++child) {
      if (trees_.parent(tree, child) == nobody) continue;
      if (place(tree, child).wanted) visit(Edge{tree, child, Way::up});
      visit(Edge{tree, child, Way::down});
    }
}

// Returns the round in which the edge carries its tree's i-th segment.
int TreeScan::round(const Edge& edge, int i) const {
  const int time = trees_.delay(edge.tree, edge.child) + trees_.period() * i;
  return edge.way == Way::up ? up_rounds_[static_cast<std::size_t>(time)] : up_rounds() + time;
}

// Returns which of the sender's blocks a message carries for a segment. Rank 0 has its own contribution in
// all.
int TreeScan::sent(const Edge& edge) const {
  const Rank parent = trees_.parent(edge.tree, edge.child);
  const bool to_upper = edge.way == Way::down && edge.child > parent;
  return to_upper && parent != 0 ? with_own() : total();
}

std::vector<TreeScan::Arrival> TreeScan::arrivals(const Edge& edge) const {
  const Rank parent = trees_.parent(edge.tree, edge.child);
  const Place &above = place(edge.tree, parent), &below = place(edge.tree, edge.child);
  std::vector<Arrival> list;
  const auto arrives = [&](bool needed, int copy, Effect effect) {
    if (needed) list.push_back({copy, effect});
  };
  if (edge.way == Way::down) {
    arrives(true, 0, exclusive_ && !below.lower ? Effect::replace : Effect::combine_before);
    arrives(exclusive_ && below.upper, with_own(), Effect::combine_before);
    arrives(below.lower, total(), Effect::replace);
  } else if (edge.child < parent) {
    arrives(exclusive_, 0, Effect::replace);
    arrives(!exclusive_ || above.upper, with_own(), Effect::combine_before);
    arrives(above.wanted, total(), Effect::combine_before);
  } else {
    arrives(true, total(), Effect::combine_after);
  }
  return list;
}

Schedule TreeScan::schedule() const {
  Schedule schedule(trees_.nodes(), (total() + 1) * segments_);
  for (int i = rounds(); i > 0; --i) schedule.next_round();
  each_edge([&](const Edge& edge) {
    const Rank parent = trees_.parent(edge.tree, edge.child);
    const Rank from = edge.way == Way::up ? edge.child : parent;
    const Rank to = edge.way == Way::up ? parent : edge.child;
    for (int i = 0; i < trees_.carried(edge.tree); ++i) {
      const int segment = trees_.segment(edge.tree, i);
      const Blocks what = schedule.block(sent(edge) * segments_ + segment);
      for (const Arrival& arrival : arrivals(edge))
        schedule.round(round(edge, i))
            .push_back({from, to, what, schedule.block(arrival.copy * segments_ + segment), arrival.effect});
    }
  });
  return schedule;
}

int TreeScan::transfers() const {
  int sum = 0;
  each_edge([&](const Edge& edge) { sum += trees_.carried(edge.tree); });
  return sum;
}

int TreeScan::combined() const {
  std::vector<int> most(static_cast<std::size_t>(rounds()));
  each_edge([&](const Edge& edge) {
    const auto list = arrivals(edge);
    const auto combines = [](const Arrival& arrival) { return arrival.effect != Effect::replace; };
    const int here = static_cast<int>(std::ranges::count_if(list, combines));
    for (int i = 0; i < trees_.carried(edge.tree); ++i) {
      int& known = most[static_cast<std::size_t>(round(edge, i))];
      known = std::max(known, here);
    }
  });
  return std::accumulate(most.begin(), most.end(), 0);
}

bool TreeScan::peers(int round, Rank from, Rank to) const {
  if (round >= up_rounds()) return trees_.peers(round - up_rounds(), from, to);
  const int time = up_times_[static_cast<std::size_t>(round)];
  return (trees_.carries(0, time, to, from) && place(0, from).wanted) ||
         (trees_.carries(1, time, to, from) && place(1, from).wanted);
}

template <Collective collective>
TreeScan made(const Parameters& parameters) {
  return {parameters, collective == Collective::exclusive_scan};
}
template <Collective collective>
const TreeScan& scan(const Parameters& parameters) {
  return remembered<made<collective>>(parameters);
}

template <Collective collective>
Cost cost(const Parameters& parameters) {
  const double rounds = scan<collective>(parameters).rounds(), words = rounds / parameters.segments;
  return {rounds, words, words, double(scan<collective>(parameters).combined()) / parameters.segments};
}

template <Collective collective>
constexpr Symbol symbols[] = {
    {"D", "the rounds beyond two for each segment",
     [](const Parameters& parameters) {
       return double(scan<collective>(parameters).rounds() - 2 * parameters.segments);
     }},
    {"u", "the totals that no rank wants: those of the last one and of the nodes above it, of each segment",
     [](const Parameters& parameters) {
       return double(2 * parameters.segments * (parameters.nodes - 1) -
                     scan<collective>(parameters).transfers());
     }},
    {"C", "what the node that combines most in a round combines beyond a segment, all rounds together, in m",
     [](const Parameters& parameters) {
       return cost<collective>(parameters).combined - cost<collective>(parameters).words;
     }}};

// D < 4 ceil(log2 p).
template <Collective collective>
constexpr Algorithm scan_row(const RowOverrides& own) {
  const RowOverrides all{
      .build = [](const Parameters& parameters) { return scan<collective>(parameters).schedule(); },
      .cost = cost<collective>,
      .rounds = "(2 k + D) [p > 1]",
      .transfers = {"2 k (p - 1) - u",
                    [](const Parameters& parameters) { return scan<collective>(parameters).transfers(); }},
      .time = "(2 k + D) [p > 1] (t_s + (t_w + t_op) m / k) + t_op m C",
      .best_segments = "sqrt(D (t_w + t_op) m / (2 t_s))",
      .symbols = symbols<collective>,
      .peers = [](const Parameters& parameters, int round, Rank from,
                  Rank to) { return scan<collective>(parameters).peers(round, from, to); },
      .segments = true,
      .carriers = fully_connected,
      .sweep_to = 130,
      .best_for = "long messages, any number of nodes, all pairs linked",
      .source = "Sanders, Speck, Traeff 2009, two-tree algorithms",
  };
  return derived(row(all), own);
}

}  // namespace two_tree_scan

namespace registered {

constexpr Algorithm scan_two_tree = two_tree_scan::scan_row<Collective::scan>({.name = "scan_two_tree"});
constexpr Algorithm exclusive_scan_two_tree =
    two_tree_scan::scan_row<Collective::exclusive_scan>({.name = "exclusive_scan_two_tree"});

}  // namespace registered
}  // namespace vnode
