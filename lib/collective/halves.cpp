// A linear array that is split in halves again and again, the lower one the longer.
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "building_blocks/composition.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace halves {

// Describes a part of the array, and the node in it that has the message.
struct Held {
  Interval ranks;
  Rank holder = 0;
};

// Chooses who gets the message in the other half, `other`, while `own` keeps it in this one; `root` had it
// first of all.
using Partner = Rank (*)(const Held& own, Interval other, Rank root);

struct Halves {
  Held own, other;
};

bool contains(Interval ranks, Rank rank) { return ranks.first <= rank && rank < ranks.last; }

Halves halves(const Held& held, Partner partner, Rank root) {
  const int middle = held.ranks.first + (held.ranks.size() + 1) / 2;
  Interval own{held.ranks.first, middle}, other{middle, held.ranks.last};
  if (!contains(own, held.holder)) std::swap(own, other);
  return {{own, held.holder}, {other, partner({own, held.holder}, other, root)}};
}

// In every round each holder sends to a partner in the half where it is not.
template <Partner partner>
Schedule broadcast(const Parameters& parameters) {
  Schedule schedule(parameters.nodes, 1);
  std::vector<Held> parts{{{0, parameters.nodes}, parameters.root}};
  for (int i = 0; i < ceil_log2(parameters.nodes); ++i) {
    Round& round = schedule.next_round();
    for (const Held& part : std::exchange(parts, {})) {
      if (part.ranks.size() == 1) continue;
      const auto [own, other] = halves(part, partner, parameters.root);
      round.push_back({own.holder, other.holder, Blocks::whole});
      const bool own_first = own.ranks.first < other.ranks.first;
      parts.push_back(own_first ? own : other);
      parts.push_back(own_first ? other : own);
    }
  }
  return schedule;
}

// It is found by going down to where `to` is. O(log p).
template <Partner partner>
bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
  Held part{{0, parameters.nodes}, parameters.root};
  for (;; --round) {
    if (part.ranks.size() == 1) return false;
    const auto [own, other] = halves(part, partner, parameters.root);
    if (round == 0) return own.holder == from && other.holder == to;
    part = contains(own.ranks, to) ? own : other;
  }
}

// Returns the node with the same place in the other half, or its last. On meshes whose extents are no powers
// of two messages may meet: 5>6 and 4>3 on 3x3 from root 2.
Rank corresponding(const Held& own, Interval other, Rank) {
  return std::min(other.first + (own.holder - own.ranks.first), other.last - 1);
}

// Returns the node that is the farthest from the root. Holders left of the root are at the left end of their
// part and send right, those right of it send left: so two messages run the same way in disjoint intervals,
// or towards each other, and never share an xy link.
Rank farthest(const Held&, Interval other, Rank root) {
  return other.last <= root ? other.first : other.last - 1;
}

// Returns the longest halves that are sent in each round by farthest partners, summed up: what it takes to
// send every node a block of its own this way. A part is known by its length, its holder's place in it, and
// the side of the root on which it lies: there are five different ones at most. p - 1 for powers of two;
// otherwise it may be more: a holder in the lower half, which is the longer, sends less than one in the upper
// half.
int halves_sent(const Parameters& parameters) {
  struct Part {
    int length, place, side;
    auto operator<=>(const Part&) const = default;
  };
  int sum = 0;
  std::set<Part> parts{{parameters.nodes, parameters.root, 0}};
  while (parts.rbegin()->length > 1) {
    int longest = 0;
    for (const auto& [length, place, side] : std::exchange(parts, {})) {
      if (length == 1) continue;
      const int lower = (length + 1) / 2, upper = length - lower;
      const bool below = place < lower;
      longest = std::max(longest, below ? upper : lower);
      parts.insert({below ? lower : upper, below ? place : place - lower, side});
      const int towards = side != 0 ? side : below ? 1 : -1, other = below ? upper : lower;
      parts.insert({other, towards > 0 ? other - 1 : 0, towards});
    }
    sum += longest;
  }
  return sum;
}

constexpr Symbol longest_halves[] = {
    {"h", "the longest halves that are sent in each round, summed up",
     [](const Parameters& parameters) -> double { return halves_sent(parameters); }}};

template <Partner partner>
constexpr Algorithm broadcast_row(const RowOverrides& own) {
  const RowOverrides along{
      .build = broadcast<partner>, .transfers = one_per_other_node, .peers = peers<partner>};
  return derived(message_row<one_per_doubling>(along), own);
}

}  // namespace halves

namespace registered {

constexpr Algorithm broadcast_mst = halves::broadcast_row<halves::corresponding>({
    .name = "broadcast_mst",
    .carriers = every_line,
    .best_for = "short messages on arrays",
    .source = "Barnett et al. 1996, minimum spanning tree on a linear array; any halves by clipping",
});
// Every partial result is of an interval of ranks.
constexpr Algorithm reduce_mst = reduction_row<broadcast_mst>({
    .name = "reduce_mst",
    .best_for = "short messages on arrays; keeps order from every root",
});

constexpr Algorithm broadcast_recursive_splitting = halves::broadcast_row<halves::farthest>({
    .name = "broadcast_recursive_splitting",
    .carriers = every_family_but_torus,
    .best_for = "short messages on meshes of any extents, which it need not know",
    .source = "Barnett et al. 1996, recursive splitting",
});
// A way back of an xy way is a yx way: with xy messages meet as on 3x3, where they run away from each other.
constexpr Algorithm reduce_recursive_splitting = reduction_row<broadcast_recursive_splitting>({
    .name = "reduce_recursive_splitting",
    .carriers = every_line_and_yx,
    .best_for = "short messages on meshes routed yx; keeps order from every root",
});
constexpr Algorithm scatter_recursive_splitting = scatter_row<broadcast_recursive_splitting>({
    .name = "scatter_recursive_splitting",
    .cost =
        [](const Parameters& parameters) {
          const double words = halves::halves_sent(parameters);
          return Cost{double(ceil_log2(parameters.nodes)), words, words, 0};
        },
    .time = "t_s ceil(log2 p) + t_w m h",
    .symbols = halves::longest_halves,
    .best_for = "the scatter of scatter-collect on meshes of any extents",
    .source = "Barnett et al. 1996, scatter of recursive splitting",
});
constexpr Algorithm gather_recursive_splitting = reversed_row<scatter_recursive_splitting>({
    .name = "gather_recursive_splitting",
    .carriers = every_line_and_yx,
    .best_for = "gathering on meshes routed yx",
});

}  // namespace registered
}  // namespace vnode
