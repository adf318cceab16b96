#include "building_blocks/two_trees.hpp"

#include <bit>
#include <utility>

#include "building_blocks/two_colouring.hpp"

namespace vnode {

namespace {

// Returns the in-order tree on 1 .. n, of which odd numbers are the leaves; 0 is above its root.
int in_order_parent(int i, int n) {
  const int step = i & -i;
  if (i == static_cast<int>(std::bit_floor(static_cast<unsigned>(n)))) return 0;
  return (i & 2 * step) == 0 && i + step <= n ? i + step : i - step;
}

// Puts the in-order tree on first .. first + n - 1 below rank 0 into `parents`.
void place_in_order(Parents& parents, int first, int n) {
  for (int i = 1; i <= n; ++i) {
    const int parent = in_order_parent(i, n);
    parents[static_cast<std::size_t>(first + i - 1)] = parent == 0 ? 0 : first + parent - 1;
  }
}

// Puts the same from right to left.
void place_mirrored(Parents& parents, int n) {
  for (int i = 1; i <= n; ++i) {
    const int parent = in_order_parent(n + 1 - i, n);
    parents[static_cast<std::size_t>(i)] = parent == 0 ? 0 : n + 1 - parent;
  }
}

// Returns the colours of the in-order tree on 1 .. n and the mirrored one, n even, and of a last leaf right
// of n in the one and below 1 in the other.
Colours mirrored_colours(int p) {
  const int n = p - 1 - (p - 1) % 2;
  std::vector<int> even(static_cast<std::size_t>(p)), odd(even);
  for (int i = 1; i <= n; ++i) even[static_cast<std::size_t>(i)] = mirrored_colour(i, n);
  if (n < p - 1) even.back() = 1 - even[static_cast<std::size_t>(n - (n & -n) / 2)];
  for (std::size_t i = 1; i < odd.size(); ++i) odd[i] = 1 - even[i];
  return {std::move(even), std::move(odd)};
}

}  // namespace

int mirrored_colour(int i, int n) {
  if (i % 2 != 0) i = n + 1 - i;
  int colour = 0;
  for (int parent = in_order_parent(i, n); parent != 0; parent = in_order_parent(i, n)) {
    colour ^= (n / 2 % 2) ^ int(parent > i);
    i = parent;
  }
  return colour;
}

// An odd number n of nodes below the source: n is a leaf more, right of n - 1 in one tree and below 1 in the
// other. In rank order that would be wrong in the other: there 2 .. n - 1 are in order with even leaves, 1 is
// put in above 2, and n above n - 1.
PipelinedTrees two_trees(const Parameters& parameters) {
  const int n = parameters.nodes - 1, k = parameters.segments;
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
  const bool by_rule = k > 1 && n > 1 && !(n % 2 != 0 && parameters.keep_order);
  return by_rule ? in_turn({even, odd}, mirrored_colours(n + 1), k) : in_turn({even, odd}, k);
}

// In rank order the last node cannot take the place of the first: there 2 .. n are in order with even leaves,
// and 1 is put in above 2.
PipelinedTrees shifted_two_trees(const Parameters& parameters) {
  const int n = parameters.nodes - 1;
  Parents even(static_cast<std::size_t>(n) + 1, nobody), odd = even;
  place_in_order(even, 1, n);
  if (parameters.keep_order && n > 1) {
    place_in_order(odd, 2, n - 1);
    odd[1] = std::exchange(odd[2], 1);
  } else {
    for (int i = 1; i <= n; ++i)
      if (const int parent = in_order_parent(i % n + 1, n); parent == 0)
        odd[static_cast<std::size_t>(i)] = 0;
      else
        odd[static_cast<std::size_t>(i)] = parent == 1 ? n : parent - 1;
  }
  return in_turn({std::move(even), std::move(odd)}, parameters.segments);
}

PipelinedTrees double_binary_trees(const Parameters& parameters) {
  const int p = parameters.nodes;
  const auto role = [&](Rank rank) { return p % 2 == 0 ? p - 1 - rank : (rank + p - 1) % p; };
  const auto player = [&](int place) { return p % 2 == 0 ? p - 1 - place : (place + 1) % p; };
  Parents even(static_cast<std::size_t>(p), nobody), odd = even;
  place_in_order(even, 1, p - 1);
  for (Rank rank = 0; rank < p; ++rank)
    if (const Rank parent = even[static_cast<std::size_t>(role(rank))]; parent != nobody)
      odd[static_cast<std::size_t>(rank)] = player(parent);
  return in_turn({std::move(even), std::move(odd)}, parameters.segments);
}

}  // namespace vnode
