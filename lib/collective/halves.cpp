#include "collective/halves.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "collective/formula.hpp"

namespace vnode {

namespace {

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

}  // namespace

Schedule by_halves(const Parameters& parameters, Partner partner) {
  Schedule schedule(parameters.nodes, 1);
  std::vector<Held> parts{{{0, parameters.nodes}, parameters.root}};
  for (int i = 0; i < ceil_log2(parameters.nodes); ++i) {
    Round& round = schedule.next_round();
    for (const Held& part : std::exchange(parts, {})) {
      if (part.ranks.size() == 1) continue;
      const auto [own, other] = halves(part, partner, parameters.root);
      round.push_back({own.holder, other.holder, whole});
      const bool own_first = own.ranks.first < other.ranks.first;
      parts.push_back(own_first ? own : other);
      parts.push_back(own_first ? other : own);
    }
  }
  return schedule;
}

bool across_halves(const Parameters& parameters, Partner partner, int round, Rank from, Rank to) {
  Held part{{0, parameters.nodes}, parameters.root};
  for (;; --round) {
    if (part.ranks.size() == 1) return false;
    const auto [own, other] = halves(part, partner, parameters.root);
    if (round == 0) return own.holder == from && other.holder == to;
    part = contains(own.ranks, to) ? own : other;
  }
}

Rank corresponding(const Held& own, Interval other, Rank) {
  return std::min(other.first + (own.holder - own.ranks.first), other.last - 1);
}

Rank farthest(const Held&, Interval other, Rank root) {
  return other.last <= root ? other.first : other.last - 1;
}

// A part is known by its length, its holder's place in it, and the side of the root on which it lies: there
// are five different ones at most.
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

}  // namespace vnode
