// barrier_central: all nodes tell node 0 at once; it tells all at once.
//   rounds     2 min(p - 1, 1)
//   transfers  2 (p - 1)
//   time       2 t_s min(p - 1, 1)
//   needs      nothing
//   ports      all
//   best for   shared memory and few nodes: one board that node 0 reads and one that all read
//   source     the central counter of Mellor-Crummey and Scott 1991, as messages
//   picture    p = 4: 1: 1>0 2>0 3>0; 2: 0>1 0>2 0>3
// The time holds as long as node 0 hears all others at the speed of one.
#include "collective/arrival.hpp"
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"

namespace vnode {

namespace {

const ArrivalPromises promises{registered::broadcast_direct, Turn::in_turn};

}  // namespace

Schedule barrier_central(const Parameters& parameters) {
  return arrival_and_release(broadcast_direct, parameters.nodes, Turn::in_turn);
}

namespace registered {

extern constinit const Algorithm barrier_central{
    .name = "barrier_central",
    .collective = Collective::barrier,
    .build = vnode::barrier_central,
    .cost = [](const Parameters& parameters) { return promises.cost(parameters.nodes); },
    .rounds = {"2 min(p - 1, 1)",
               [](const Parameters& parameters) { return promises.rounds(parameters.nodes); }},
    .transfers = {"2 (p - 1)",
                  [](const Parameters& parameters) { return promises.transfers(parameters.nodes); }},
    .time = "2 t_s min(p - 1, 1)",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return promises.peers(parameters.nodes, round, from, to); },
    .ports = Ports::all,
    .carriers = fully_connected,
    .best_for = "shared memory and few nodes: one board that node 0 reads and one that all read",
    .source = "the central counter of Mellor-Crummey and Scott 1991, as messages",
};

}  // namespace registered
}  // namespace vnode
