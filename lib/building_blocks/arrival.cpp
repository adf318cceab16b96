#include "building_blocks/arrival.hpp"

#include <numeric>

#include <vnode/model/compose.hpp>

namespace vnode {

namespace {

// Returns the same pairs in a schedule of no blocks: every block goes to no place.
Schedule signals(const Schedule& a) {
  std::vector<Rank> same(static_cast<std::size_t>(a.nodes()));
  std::iota(same.begin(), same.end(), 0);
  return compose::relabelled(a, same, {0, std::vector<Interval>(static_cast<std::size_t>(a.blocks()))});
}

}  // namespace

Schedule arrival_and_release(const Algorithm& broadcast, int nodes, Turn turn) {
  const Schedule release = signals(broadcast.build({.nodes = nodes}));
  const Schedule arrival = compose::reversed(release);
  if (turn == Turn::in_turn || release.rounds().empty()) return compose::then(arrival, release);
  Schedule schedule = arrival;
  const Transfer& first = release.rounds().front().front();
  schedule.round(static_cast<int>(arrival.rounds().size()) - 1).push_back(first);
  for (std::size_t i = 1; i < release.rounds().size(); ++i) schedule.next_round() = release.rounds()[i];
  return schedule;
}

int arrival_rounds(const Algorithm& broadcast, int nodes, Turn turn) {
  const int half = rounds(broadcast, {.nodes = nodes});
  return 2 * half - (turn == Turn::exchange && half > 0);
}

bool arrival_peers(const Algorithm& broadcast, int nodes, Turn turn, int round, Rank from, Rank to) {
  const int half = rounds(broadcast, {.nodes = nodes});
  const int released = round - (arrival_rounds(broadcast, nodes, turn) - half);
  return (round < half && broadcast.peers({.nodes = nodes}, half - 1 - round, to, from)) ||
         (released >= 0 && broadcast.peers({.nodes = nodes}, released, from, to));
}

}  // namespace vnode
