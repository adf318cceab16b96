#include "collective/arrival.hpp"

#include <numeric>

#include <vnode/compose.hpp>

namespace vnode {

namespace {

// The same pairs in a schedule of no blocks: every block goes to no place.
Schedule signals(const Schedule& a) {
  std::vector<Rank> same(static_cast<std::size_t>(a.nodes()));
  std::iota(same.begin(), same.end(), 0);
  return relabelled(a, same, {0, std::vector<Interval>(static_cast<std::size_t>(a.blocks()))});
}

}  // namespace

Schedule arrival_and_release(Schedule (*broadcast)(const Parameters&), int nodes) {
  const Schedule release = signals(broadcast({.nodes = nodes}));
  return then(reversed(release), release);
}

bool ArrivalPromises::peers(int nodes, int round, Rank from, Rank to) const {
  const int half = rounds(nodes) / 2;
  if (round < half) return broadcast.peers({.nodes = nodes}, half - 1 - round, to, from);
  return broadcast.peers({.nodes = nodes}, round - half, from, to);
}

}  // namespace vnode
