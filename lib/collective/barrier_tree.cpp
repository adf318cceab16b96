// barrier_tree: arrivals climb a binomial tree, its two topmost nodes exchange, the release comes down again.
//   rounds     max(2 ceil(log2 p) - 1, 0)
//   transfers  2 (p - 1)
//   time       t_s max(2 ceil(log2 p) - 1, 0)
//   needs      nothing
//   ports      single
//   best for   many more nodes than cores: the fewest messages
//   source     reduce_binomial and broadcast_binomial without data
//   picture    p = 6: 1: 1>0 3>2 5>4; 2: 2>0; 3: 4>0 0>4; 4: 0>2; 5: 0>1 2>3 4>5
#include "collective/arrival.hpp"
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"

namespace vnode {

namespace {

const ArrivalPromises promises{registered::broadcast_binomial, Turn::exchange};

}  // namespace

Schedule barrier_tree(const Parameters& parameters) {
  return arrival_and_release(broadcast_binomial, parameters.nodes, Turn::exchange);
}

namespace registered {

extern constinit const Algorithm barrier_tree{
    .name = "barrier_tree",
    .collective = Collective::barrier,
    .build = vnode::barrier_tree,
    .cost = [](const Parameters& parameters) { return promises.cost(parameters.nodes); },
    .rounds = {"max(2 ceil(log2 p) - 1, 0)",
               [](const Parameters& parameters) { return promises.rounds(parameters.nodes); }},
    .transfers = {"2 (p - 1)",
                  [](const Parameters& parameters) { return promises.transfers(parameters.nodes); }},
    .time = "t_s max(2 ceil(log2 p) - 1, 0)",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return promises.peers(parameters.nodes, round, from, to); },
    .carriers = every_family_but_torus,
    .best_for = "many more nodes than cores: the fewest messages",
    .source = "reduce_binomial and broadcast_binomial without data",
};

}  // namespace registered
}  // namespace vnode
