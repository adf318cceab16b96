#pragma once

#include <vnode/collective.hpp>

namespace vnode {

/// How a barrier turns from arrival to release.
enum class Turn {
  in_turn,   ///< the release begins when node 0 knows that all have come
  exchange,  ///< node 0 and the last to tell it exchange what they know; then both know all, and a round is
             ///< saved
};

/// A barrier made of a broadcast's pairs, without its data: backwards, so that node 0 knows that all have
/// come, then forwards, so that all know. For Turn::exchange the broadcast's first round has one transfer.
Schedule arrival_and_release(Schedule (*broadcast)(const Parameters&), int nodes, Turn turn);

/// The promises of such a barrier, from those of its broadcast.
struct ArrivalPromises {
  const Algorithm& broadcast;
  Turn turn;

  int rounds(int nodes) const;
  int transfers(int nodes) const { return 2 * broadcast.transfers.value({.nodes = nodes}); }
  Cost cost(int nodes) const { return {.startups = double(rounds(nodes))}; }
  bool peers(int nodes, int round, Rank from, Rank to) const;
};

}  // namespace vnode
