// reduce_hypercube: one dimension a round, in any order; every message is one hop.
//   rounds     log2 p
//   transfers  p - 1
//   time       (t_s + (t_w + t_op) m) log2 p
//   needs      power_of_two
//   ports      single
//   best for   short messages on hypercubes
//   source     Grama et al. 4.1.3, algorithm 4.3
//   picture    p = 8, root 0: 1: 1>+0 3>+2 5>+4 7>+6; 2: 2>+0 6>+4; 3: 4>+0
// The dual of broadcast_hypercube: Parameters::dimension_order is taken backwards. Rank order is kept if the
// lowest dimension is combined first, as it is without an order given.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"

namespace vnode {

namespace {

const ReductionPromises promises{registered::broadcast_hypercube};

}  // namespace

Schedule reduce_hypercube(const Parameters& parameters) { return reduction(broadcast_hypercube, parameters); }

namespace registered {

extern constinit const Algorithm reduce_hypercube{
    .name = "reduce_hypercube",
    .collective = Collective::reduce,
    .build = vnode::reduce_hypercube,
    .cost = [](const Parameters& parameters) { return promises.cost(parameters); },
    .rounds = {"log2 p", [](const Parameters& parameters) { return promises.rounds(parameters); }},
    .transfers = {"p - 1", [](const Parameters& parameters) { return promises.transfers(parameters); }},
    .time = "(t_s + (t_w + t_op) m) log2 p",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return promises.peers(parameters, round, from, to); },
    .needs = power_of_two,
    .dimension_order = true,
    .carriers = hypercube_family,
    .best_for = "short messages on hypercubes",
    .source = "Grama et al. 4.1.3, algorithm 4.3",
};

}  // namespace registered
}  // namespace vnode
