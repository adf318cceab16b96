// all_gather_bruck: everybody sends the run of blocks that begins with its own 1, 2, 4 ... ranks back.
//   rounds     ceil(log2 p)
//   transfers  p ceil(log2 p)
//   time       t_s ceil(log2 p) + t_w m (p - 1)
//   needs      nothing
//   ports      single
//   best for   short messages, any number of nodes
//   source     Bruck et al. 1997; blocks go to their places at once
//   picture    p = 5: 1: 0>4[0] 1>0[1] 2>1[2] 3>2[3] 4>3[4]; 2: 0>3[0-1] 1>4[1-2] 2>0[2-3] 3>1[3-4] 4>2[4,0];
//              3: 0>1[0] 1>2[1] 2>3[2] 3>4[3] 4>0[4]
#include <algorithm>

#include "collective/all_gather.hpp"
#include "collective/formula.hpp"

namespace vnode {

Schedule all_gather_bruck(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p);
  for (int distance = 1; distance < p; distance *= 2) {
    Round& round = schedule.next_round();
    const int run = std::min(distance, p - distance);
    for (Rank rank = 0; rank < p; ++rank) {
      const Interval run_around[] = {{rank, std::min(rank + run, p)}, {0, std::max(rank + run - p, 0)}};
      round.push_back({rank, (rank - distance + p) % p, schedule.blocks_of(run_around)});
    }
  }
  return schedule;
}

namespace registered {

constinit const Algorithm all_gather_bruck{
    .name = "all_gather_bruck",
    .collective = Collective::all_gather,
    .build = vnode::all_gather_bruck,
    .cost =
        [](const Parameters& parameters) {
          return one_block_per_other_node(ceil_log2(parameters.nodes), parameters.nodes);
        },
    .rounds = one_per_doubling,
    .transfers = {"p ceil(log2 p)",
                  [](const Parameters& parameters) {
                    return parameters.nodes * ceil_log2(parameters.nodes);
                  }},
    .time = "t_s ceil(log2 p) + t_w m (p - 1)",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return cyclic_distance(to, from, parameters.nodes) == 1 << round; },
    .carriers = hypercube_family,
    .best_for = "short messages, any number of nodes",
    .source = "Bruck et al. 1997; blocks go to their places at once",
};

}  // namespace registered
}  // namespace vnode
