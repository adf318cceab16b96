// barrier_linear: node 0 hears every node in turn, exchanges with the last, then tells the others in turn.
//   rounds     max(2 p - 3, 0)
//   transfers  2 (p - 1)
//   time       t_s max(2 p - 3, 0)
//   needs      nothing
//   ports      single
//   best for   two nodes, and as the measure of all others
//   source     reduce_linear and broadcast_linear without data
//   picture    p = 4: 1: 1>0; 2: 2>0; 3: 3>0 0>3; 4: 0>2; 5: 0>1
#include "collective/arrival.hpp"
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"

namespace vnode {

namespace {

const ArrivalPromises promises{registered::broadcast_linear, Turn::exchange};

}  // namespace

Schedule barrier_linear(const Parameters& parameters) {
  return arrival_and_release(broadcast_linear, parameters.nodes, Turn::exchange);
}

namespace registered {

extern constinit const Algorithm barrier_linear{
    .name = "barrier_linear",
    .collective = Collective::barrier,
    .build = vnode::barrier_linear,
    .cost = [](const Parameters& parameters) { return promises.cost(parameters.nodes); },
    .rounds = {"max(2 p - 3, 0)",
               [](const Parameters& parameters) { return promises.rounds(parameters.nodes); }},
    .transfers = {"2 (p - 1)",
                  [](const Parameters& parameters) { return promises.transfers(parameters.nodes); }},
    .time = "t_s max(2 p - 3, 0)",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return promises.peers(parameters.nodes, round, from, to); },
    .carriers = every_family,
    .best_for = "two nodes, and as the measure of all others",
    .source = "reduce_linear and broadcast_linear without data",
};

}  // namespace registered
}  // namespace vnode
