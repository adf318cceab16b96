// barrier_dissemination: every node signals 1, 2, 4, ... further on and knows twice as many each time.
//   rounds     ceil(log2 p)
//   transfers  p ceil(log2 p)
//   time       t_s ceil(log2 p)
//   needs      nothing
//   ports      single
//   best for   a core for every node: the fewest rounds
//   source     Hensgen, Finkel, Manber 1988
//   picture    p = 5: 1: 0>1 1>2 2>3 3>4 4>0; 2: 0>2 1>3 2>4 3>0 4>1; 3: 0>4 1>0 2>1 3>2 4>3
// After the round of distance d node v knows of v - 2d + 1 .. v, cyclic.
#include "collective/formula.hpp"

namespace vnode {

Schedule barrier_dissemination(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, 0);
  for (int distance = 1; distance < p; distance *= 2) {
    Round& round = schedule.next_round();
    for (Rank from = 0; from < p; ++from) round.push_back({from, (from + distance) % p, nothing});
  }
  return schedule;
}

namespace registered {

extern constinit const Algorithm barrier_dissemination{
    .name = "barrier_dissemination",
    .collective = Collective::barrier,
    .build = vnode::barrier_dissemination,
    .cost =
        [](const Parameters& parameters) { return Cost{.startups = double(ceil_log2(parameters.nodes))}; },
    .rounds = one_per_doubling,
    .transfers = {"p ceil(log2 p)",
                  [](const Parameters& parameters) {
                    return parameters.nodes * ceil_log2(parameters.nodes);
                  }},
    .time = "t_s ceil(log2 p)",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return cyclic_distance(from, to, parameters.nodes) == 1 << round; },
    .carriers = hypercube_family,
    .best_for = "a core for every node: the fewest rounds",
    .source = "Hensgen, Finkel, Manber 1988",
};

}  // namespace registered
}  // namespace vnode
