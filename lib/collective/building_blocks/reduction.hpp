#pragma once

#include <algorithm>
#include <array>

#include "collective/building_blocks/composition.hpp"

namespace vnode {

/// Returns the dual of a broadcast (Grama, algorithm 4.3 for any broadcast). With keep_order, where the dual
/// for this root does not combine in rank order, it is the dual for rank 0, and a last round in which rank 0
/// sends the result to the root.
Schedule reduction(const Algorithm& broadcast, const Parameters& parameters);

/// Returns whether two nodes may talk in a round of it; `through_zero` says whether it takes the last round.
bool reduction_peers(const Algorithm& broadcast, bool through_zero, const Parameters& parameters, int round,
                     Rank from, Rank to);

/// Returns whether rank order is asked for and broken in a reduction whose partial results run over p - 1 to
/// 0, unless they do so between the two last ones, which is for the roots 0 and `other`.
constexpr bool breaks_order(const Parameters& parameters, Rank other) {
  return parameters.keep_order && parameters.root != 0 && parameters.root != other;
}

/// Returns the row of the reduction along a broadcast that combines in rank order for every root, or never.
template <const Algorithm& broadcast>
constexpr Algorithm reduction_row(const RowOverrides& own) {
  const RowOverrides along{
      .build = [](const Parameters& parameters) { return reduction(broadcast, parameters); },
      .peers = [](const Parameters& parameters, int round, Rank from,
                  Rank to) { return reduction_peers(broadcast, false, parameters, round, from, to); }};
  return derived(derived(dual_row<broadcast>({}), along), own);
}

/// States the same where rank order takes a last round: `through_zero` says by formula whether it does.
template <const Algorithm& broadcast, bool (*through_zero)(const Parameters&)>
struct ThroughZero {
  static constexpr Text rounds = plus(broadcast.rounds, " + z");
  static constexpr Text transfers = plus(broadcast.transfers.text, " + z");
  static constexpr Text time =
      plus(dual_time<broadcast>, broadcast.segments ? " + z (t_s + t_w m)" : " + (t_s + t_w m) z");
  static constexpr auto symbols = [] {
    std::array<Symbol, broadcast.symbols.size() + 1> all{};
    std::ranges::copy(broadcast.symbols, all.begin());
    all.back() = {
        "z",
        "1 where rank order is asked for and this root breaks it: rank 0 combines and sends the result on; "
        "otherwise 0",
        [](const Parameters& parameters) { return double(through_zero(parameters)); }};
    return all;
  }();
  static constexpr Algorithm row(const RowOverrides& own) {
    const RowOverrides along{
        .cost =
            [](const Parameters& parameters) {
              return combining(broadcast.cost(parameters)) + whole_messages(through_zero(parameters));
            },
        .rounds = rounds,
        .transfers = {transfers,
                      [](const Parameters& parameters) {
                        return broadcast.transfers.value(parameters) + through_zero(parameters);
                      }},
        .time = time,
        .symbols = symbols,
        .peers =
            [](const Parameters& parameters, int round, Rank from, Rank to) {
              return reduction_peers(broadcast, through_zero(parameters), parameters, round, from, to);
            },
        .keeps_order = KeepsOrder::through_zero};
    return derived(derived(reduction_row<broadcast>({}), along), own);
  }
};
template <const Algorithm& broadcast, bool (*through_zero)(const Parameters&)>
constexpr Algorithm reduction_row(const RowOverrides& own) {
  return ThroughZero<broadcast, through_zero>::row(own);
}

}  // namespace vnode
