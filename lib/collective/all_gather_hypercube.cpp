// all_gather_hypercube: in every dimension, lowest first, everybody exchanges all it has.
//   rounds     log2 p
//   transfers  p log2 p
//   time       t_s log2 p + t_w m (p - 1)
//   needs      power_of_two
//   ports      single
//   best for   any message on hypercubes
//   source     Grama et al., algorithm 4.7
//   picture    p = 8: 1: 0>1[0] 1>0[1] 2>3[2] 3>2[3] 4>5[4] 5>4[5] 6>7[6] 7>6[7]; 2: 0>2[0-1] 1>3[0-1]
//              2>0[2-3] 3>1[2-3] 4>6[4-5] 5>7[4-5] 6>4[6-7] 7>5[6-7]; 3: 0>4[0-3] 1>5[0-3] 2>6[0-3] 3>7[0-3]
//              4>0[4-7] 5>1[4-7] 6>2[4-7] 7>3[4-7]
// The lowest first gathers intervals. With keep_order the highest comes first: then the dual combines the
// lowest first, and in rank order.
#include "collective/all_gather.hpp"
#include "collective/dimensions.hpp"
#include "collective/formula.hpp"

namespace vnode {

namespace {

std::vector<int> order(const Parameters& parameters) {
  if (!parameters.dimension_order.empty()) return parameters.dimension_order;
  return parameters.keep_order ? highest_first(parameters.nodes) : lowest_first(parameters.nodes);
}

}  // namespace

Schedule all_gather_hypercube(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p);
  int gathered = 0;  // the dimensions in which everybody has all blocks
  for (const int dimension : order(parameters)) {
    Round& round = schedule.next_round();
    for (Rank rank = 0; rank < p; ++rank) {
      std::vector<Interval> blocks;
      for (int block = 0; block < p; ++block)
        if (((block ^ rank) & ~gathered) == 0) blocks.push_back({block, block + 1});
      round.push_back({rank, rank ^ 1 << dimension, schedule.blocks_of(blocks)});
    }
    gathered |= 1 << dimension;
  }
  return schedule;
}

namespace registered {

constinit const Algorithm all_gather_hypercube{
    .name = "all_gather_hypercube",
    .collective = Collective::all_gather,
    .build = vnode::all_gather_hypercube,
    .cost =
        [](const Parameters& parameters) {
          return one_block_per_other_node(ceil_log2(parameters.nodes), parameters.nodes);
        },
    .rounds = one_per_dimension,
    .transfers = {"p log2 p",
                  [](const Parameters& parameters) {
                    return parameters.nodes * ceil_log2(parameters.nodes);
                  }},
    .time = "t_s log2 p + t_w m (p - 1)",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return across_dimension(order(parameters), round, from, to); },
    .needs = power_of_two,
    .dimension_order = true,
    .carriers = hypercube_family,
    .best_for = "any message on hypercubes",
    .source = "Grama et al., algorithm 4.7",
};

}  // namespace registered
}  // namespace vnode
