#include "collective/two_tree.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace vnode {

TwoTrees::TwoTrees(Parents even, Parents odd, int segments)
    : segments_(segments), parents_{std::move(even), std::move(odd)} {
  const int p = static_cast<int>(parents_[0].size());
  if (segments == 1) std::ranges::fill(parents_[1], nobody);
  below_.resize(index(p));
  for (std::vector<int>& list : colours_) list.assign(index(p), -1);
  for (std::vector<int>& list : delays_) list.assign(index(p), -1);
  for (const int tree : {0, 1})
    for (Rank child = 0; child < p; ++child)
      if (parent(tree, child) != nobody) below_[index(parent(tree, child))].push_back({tree, child});
  for (Rank rank = 0; rank < p; ++rank)
    if (below_[index(rank)].size() > 1 || (parent(0, rank) != nobody && parent(1, rank) != nobody))
      period_ = 2;
  for (const int tree : {0, 1}) find_delays(tree);
}

// From the root down. An edge that is free to choose takes the colour with which it waits least.
void TwoTrees::find_delays(int tree) {
  const auto root = std::ranges::find(parents_[index(tree)], nobody) - parents_[index(tree)].begin();
  std::vector<Rank> reached{static_cast<Rank>(root)};
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const Edge& edge : below_[index(reached[i])]) {
      if (edge.tree != tree) continue;
      const int next = delay(tree, reached[i]) + 1;
      paint(edge, next % 2);
      const int colour = colours_[index(tree)][index(edge.child)];
      delays_[index(tree)][index(edge.child)] = next + (next % 2 != colour);
      reached.push_back(edge.child);
    }
}

// The other edge at either port gets the other colour, and so on along the path or cycle of such edges. Every
// round trip changes sender and receiver in turn: cycles are even.
void TwoTrees::paint(const Edge& edge, int colour) {
  int& own = colours_[index(edge.tree)][index(edge.child)];
  if (own >= 0) return;
  own = colour;
  const Edge other{1 - edge.tree, edge.child};
  if (parent(other.tree, other.child) != nobody) paint(other, 1 - colour);
  for (const Edge& sibling : below_[index(parent(edge.tree, edge.child))])
    if (sibling != edge) paint(sibling, 1 - colour);
}

Schedule TwoTrees::broadcast() const {
  const int p = static_cast<int>(below_.size());
  Schedule schedule(p, segments_);
  for (int i = 0; i < rounds(); ++i) schedule.next_round();
  for (const int tree : {0, 1})
    for (Rank child = 0; child < p; ++child)
      for (int i = 0; i < carried(tree) && parent(tree, child) != nobody; ++i)
        schedule.round(delay(tree, child) + period_ * i)
            .push_back({parent(tree, child), child, schedule.block(2 * i + tree)});
  return schedule;
}

int TwoTrees::rounds() const {
  int last = 0;
  for (const int tree : {0, 1})
    if (const int greatest = std::ranges::max(delays_[index(tree)]); greatest >= 0)
      last = std::max(last, greatest + period_ * (carried(tree) - 1) + 1);
  return last;
}

bool TwoTrees::peers(int round, Rank from, Rank to) const {
  return std::ranges::any_of(std::array{0, 1}, [&](int tree) {
    const int later = round - delay(tree, to);
    return parent(tree, to) == from && later >= 0 && later % period_ == 0 && later / period_ < carried(tree);
  });
}

namespace {

// The in-order tree on 1 .. n, of which odd numbers are the leaves; 0 is above its root.
int in_order_parent(int i, int n) {
  const int step = i & -i;
  if (i == static_cast<int>(std::bit_floor(static_cast<unsigned>(n)))) return 0;
  return (i & 2 * step) == 0 && i + step <= n ? i + step : i - step;
}

// The in-order tree on first .. first + n - 1 below rank 0, put into `parents`.
void place_in_order(Parents& parents, int first, int n) {
  for (int i = 1; i <= n; ++i) {
    const int parent = in_order_parent(i, n);
    parents[static_cast<std::size_t>(first + i - 1)] = parent == 0 ? 0 : first + parent - 1;
  }
}

// The same from right to left.
void place_mirrored(Parents& parents, int n) {
  for (int i = 1; i <= n; ++i) {
    const int parent = in_order_parent(n + 1 - i, n);
    parents[static_cast<std::size_t>(i)] = parent == 0 ? 0 : n + 1 - parent;
  }
}

}  // namespace

// An odd number n of nodes below the source: n is a leaf more, right of n - 1 in one tree and below 1 in the
// other. In rank order that would be wrong in the other: there 2 .. n - 1 are in order with even leaves, 1 is
// put in above 2, and n above n - 1.
TwoTrees two_trees(const Parameters& parameters) {
  const int n = parameters.nodes - 1;
  const auto last = static_cast<std::size_t>(n);
  Parents even(last + 1, nobody), odd = even;
  if (n % 2 == 0) {
    place_in_order(even, 1, n);
    place_mirrored(odd, n);
  } else if (n == 1) {
    even[1] = odd[1] = 0;
  } else if (parameters.keep_order) {
    place_in_order(even, 1, n);
    place_in_order(odd, 2, n - 2);
    odd[1] = std::exchange(odd[2], 1);
    odd[last] = std::exchange(odd[last - 1], n);
  } else {
    place_in_order(even, 1, n - 1);
    place_mirrored(odd, n - 1);
    even[last] = n - 1;
    odd[last] = 1;
  }
  return {std::move(even), std::move(odd), parameters.segments};
}

TwoTrees double_binary_trees(const Parameters& parameters) {
  const int p = parameters.nodes;
  const auto role = [&](Rank rank) { return p % 2 == 0 ? p - 1 - rank : (rank + p - 1) % p; };
  const auto player = [&](int place) { return p % 2 == 0 ? p - 1 - place : (place + 1) % p; };
  Parents even(static_cast<std::size_t>(p), nobody), odd = even;
  place_in_order(even, 1, p - 1);
  for (Rank rank = 0; rank < p; ++rank)
    if (const Rank parent = even[static_cast<std::size_t>(role(rank))]; parent != nobody)
      odd[static_cast<std::size_t>(rank)] = player(parent);
  return {std::move(even), std::move(odd), parameters.segments};
}

}  // namespace vnode
