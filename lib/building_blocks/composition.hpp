#pragma once

#include <algorithm>
#include <array>

#include <vnode/model/compose.hpp>

#include "building_blocks/needs.hpp"
#include "building_blocks/row.hpp"

namespace vnode {

/// Returns one-to-all personalized communication along a broadcast's tree: every round has the same pairs,
/// and each message carries the blocks of its receiver and of all that it will reach. There is one block per
/// rank.
Schedule personalized(const Schedule& broadcast);

// Rows of algorithms that are made of others state all that follows from the others' rows, and what is their
// own. Rows of other files promise nothing to the compiler, only to the program: then_row and splitting_row
// take any, the others those that stand further up in the same file.

/// Returns whether two nodes are a pair of `a`, backwards.
template <const Algorithm& a>
bool peers_backwards(const Parameters& parameters, int round, Rank from, Rank to) {
  return a.peers(parameters, rounds(a, parameters) - 1 - round, to, from);
}

template <const Algorithm& a>
inline constexpr Text scatter_time = plus(product("t_s ", a.rounds, ""), " + t_w m (p - 1)");
/// Returns the row of a scatter along the tree of a broadcast. In a round the busiest node sends the blocks
/// of all that the receiver will reach.
template <const Algorithm& a>
constexpr Algorithm scatter_row(const RowOverrides& own) {
  const RowOverrides burden{
      .build = [](const Parameters& parameters) { return personalized(a.build(parameters)); },
      .cost =
          [](const Parameters& parameters) {
            return one_block_per_other_node(rounds(a, parameters), parameters.nodes);
          },
      .time = scatter_time<a>};
  return derived(derived(a, burden), own);
}

template <const Algorithm& a>
inline constexpr Text reversed_source{a.name, " backwards"};
/// Returns the row of the same rounds backwards. What a node receives in a round, it sent; with one port that
/// is the same amount.
template <const Algorithm& a>
constexpr Algorithm reversed_row(const RowOverrides& own) {
  const RowOverrides turned{
      .build = [](const Parameters& parameters) { return compose::reversed(a.build(parameters)); },
      .peers = peers_backwards<a>,
      .source = reversed_source<a>};
  return derived(derived(a, turned), own);
}

template <const Algorithm& a>
inline constexpr Text dual_time = combining_words(a.time);
template <const Algorithm& a>
inline constexpr Text dual_best_segments = combining_words(a.best_segments);
template <const Algorithm& a>
inline constexpr Text dual_source{"dual of ", a.name};
/// Returns the row of the same rounds backwards, where all that is received is combined.
template <const Algorithm& a>
constexpr Algorithm dual_row(const RowOverrides& own) {
  const RowOverrides turned{
      .build = [](const Parameters& parameters) { return compose::dual(a.build(parameters)); },
      .cost = [](const Parameters& parameters) { return combining(a.cost(parameters)); },
      .time = dual_time<a>,
      .best_segments = dual_best_segments<a>,
      .peers = peers_backwards<a>,
      .source = dual_source<a>};
  return derived(derived(a, turned), own);
}

/// Returns the row of one after the other, where the m of `a` and `b` is the whole operation's.
template <const Algorithm& a, const Algorithm& b>
constexpr Algorithm then_row(const RowOverrides& own) {
  const RowOverrides both{
      .build =
          [](const Parameters& parameters) {
            return compose::then(a.build(parameters), b.build(parameters));
          },
      .cost = [](const Parameters& parameters) { return a.cost(parameters) + b.cost(parameters); },
      .transfers = {{},
                    [](const Parameters& parameters) {
                      return a.transfers.value(parameters) + b.transfers.value(parameters);
                    }},
      .peers =
          [](const Parameters& parameters, int round, Rank from, Rank to) {
            const int first = rounds(a, parameters);
            return round < first ? a.peers(parameters, round, from, to)
                                 : b.peers(parameters, round - first, from, to);
          },
      .alike =
          [](const Parameters& parameters) {
            return vnode::alike(a, parameters) && vnode::alike(b, parameters);
          },
  };
  return derived(row(both), own);
}

inline Parameters zero(const Parameters& parameters) { return {.nodes = parameters.nodes}; }
template <const Algorithm& a, const Algorithm& b>
inline constexpr Algorithm both = then_row<a, b>({});
/// Returns then_row to node 0 and from there, in rank order as it is: the collective has no root of its own.
template <const Algorithm& a, const Algorithm& b>
constexpr Algorithm rootless_row(const RowOverrides& own) {
  const RowOverrides at_zero{
      .build = [](const Parameters& parameters) { return both<a, b>.build(zero(parameters)); },
      .cost = [](const Parameters& parameters) { return both<a, b>.cost(zero(parameters)); },
      .transfers = {{},
                    [](const Parameters& parameters) {
                      return both<a, b>.transfers.value(zero(parameters));
                    }},
      .peers = [](const Parameters& parameters, int round, Rank from,
                  Rank to) { return both<a, b>.peers(zero(parameters), round, from, to); },
  };
  return derived(row(at_zero), own);
}

/// Returns then_row by message splitting: `a` and `b` count one of p parts of the message as their m.
template <const Algorithm& a, const Algorithm& b>
constexpr Algorithm splitting_row(const RowOverrides& own) {
  const RowOverrides parts{.cost = [](const Parameters& parameters) {
    return in_parts(a.cost(parameters) + b.cost(parameters), parameters.nodes);
  }};
  return derived(derived(then_row<a, b>({}), parts), own);
}

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
