#pragma once

#include <memory>
#include <string>

#include <vnode/operator.hpp>

#include "data/vectors.hpp"
#include "measure/contestant.hpp"

namespace vnode::bench {

/// Two callers and what they send and receive: `first` begins. The others look on.
struct PingPong {
  Rank first, second;
  std::shared_ptr<const Vectors> out, in;
  int turns;  ///< there and back, in one call

  Rank partner(Rank rank) const { return rank == first ? second : first; }
  bool plays(Rank rank) const { return rank == first || rank == second; }
};

/// A contestant from pass(seat, sending): sends this rank's `out` to the partner, or receives `in` from it.
template <class Pass>
Contestant ping_pong(const char* by, const PingPong& game, Pass pass) {
  return {.by = by,
          .call =
              [game, pass](const Seat& seat) {
                if (!game.plays(seat.rank)) return;
                const bool begins = seat.rank == game.first;
                for (int turn = 0; turn < game.turns; ++turn) {
                  pass(seat, begins);
                  pass(seat, !begins);
                }
              },
          .repeats = 2.0 * game.turns};
}

/// Node::send and Node::recv.
Contestant send_vnode(const PingPong& game, Arithmetic datatype);
/// An atomic pointer with wait and notify; the receiver copies.
Contestant send_std(const PingPong& game);
/// A mutex, a condition variable, a copy into the mailbox and one out of it.
Contestant send_naive(const PingPong& game);

}  // namespace vnode::bench
