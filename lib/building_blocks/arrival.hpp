#pragma once

#include "building_blocks/row.hpp"

namespace vnode {

/// Says how a barrier turns from arrival to release.
enum class Turn {
  in_turn,   ///< the release begins when node 0 knows that all have come
  exchange,  ///< node 0 and the last to tell it exchange what they know; then both know all, and a round is
             ///< saved
};

/// Makes a barrier of a broadcast's pairs, without its data: backwards, so that node 0 knows that all have
/// come, then forwards, so that all know. For Turn::exchange the broadcast's first round has one transfer.
Schedule arrival_and_release(const Algorithm& broadcast, int nodes, Turn turn);
int arrival_rounds(const Algorithm& broadcast, int nodes, Turn turn);
bool arrival_peers(const Algorithm& broadcast, int nodes, Turn turn, int round, Rank from, Rank to);

template <const Algorithm& broadcast>
inline constexpr Text arrival_transfers = product("2 ", broadcast.transfers.text, "");
/// Returns the row of that barrier.
template <const Algorithm& broadcast, Turn turn>
constexpr Algorithm barrier_row(const RowOverrides& own) {
  const RowOverrides both{
      .build = [](const Parameters& told) { return arrival_and_release(broadcast, told.nodes, turn); },
      .cost =
          [](const Parameters& told) {
            return Cost{.startups = double(arrival_rounds(broadcast, told.nodes, turn))};
          },
      .transfers = {arrival_transfers<broadcast>,
                    [](const Parameters& told) {
                      return 2 * broadcast.transfers.value({.nodes = told.nodes});
                    }},
      .peers = [](const Parameters& told, int round, Rank from,
                  Rank to) { return arrival_peers(broadcast, told.nodes, turn, round, from, to); },
  };
  return derived(derived(broadcast, both), own);
}

}  // namespace vnode
