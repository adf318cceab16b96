#pragma once

#include <vnode/collective.hpp>

namespace vnode {

/// A barrier made of a broadcast's pairs, without its data: backwards, so that node 0 knows that all have
/// come, then forwards, so that all know.
Schedule arrival_and_release(Schedule (*broadcast)(const Parameters&), int nodes);

/// The promises of such a barrier, from those of its broadcast.
struct ArrivalPromises {
  const Algorithm& broadcast;

  int rounds(int nodes) const { return 2 * broadcast.rounds.value({.nodes = nodes}); }
  int transfers(int nodes) const { return 2 * broadcast.transfers.value({.nodes = nodes}); }
  Cost cost(int nodes) const { return {2 * broadcast.cost({.nodes = nodes}).startups, 0, 1}; }
  bool peers(int nodes, int round, Rank from, Rank to) const;
};

}  // namespace vnode
