// reduce_mst: a linear array whose halves are put together: each holder hears its partner in the other half.
//   rounds     ceil(log2 p)
//   transfers  p - 1
//   time       (t_s + (t_w + t_op) m) ceil(log2 p)
//   needs      nothing
//   ports      single
//   best for   short messages on arrays; keeps order from every root
//   source     dual of broadcast_mst
//   picture    p = 6, root 5: 1: 1>+0 4>+3; 2: 0+>2 3+>5; 3: 2+>5
// Every partial result is of an interval of ranks.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"

namespace vnode {

namespace {

const ReductionPromises promises{registered::broadcast_mst};

}  // namespace

Schedule reduce_mst(const Parameters& parameters) { return reduction(broadcast_mst, parameters); }

namespace registered {

extern constinit const Algorithm reduce_mst{
    .name = "reduce_mst",
    .collective = Collective::reduce,
    .build = vnode::reduce_mst,
    .cost = [](const Parameters& parameters) { return promises.cost(parameters); },
    .rounds = {"ceil(log2 p)", [](const Parameters& parameters) { return promises.rounds(parameters); }},
    .transfers = {"p - 1", [](const Parameters& parameters) { return promises.transfers(parameters); }},
    .time = "(t_s + (t_w + t_op) m) ceil(log2 p)",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return promises.peers(parameters, round, from, to); },
    .carriers = every_line,
    .best_for = "short messages on arrays; keeps order from every root",
    .source = "dual of broadcast_mst",
};

}  // namespace registered
}  // namespace vnode
