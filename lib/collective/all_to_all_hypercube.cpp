// all_to_all_hypercube: one dimension a round; all blocks cross it whose destination is on the other side.
//   rounds     log2 p
//   transfers  p log2 p
//   time       (t_s + t_w m p / 2) log2 p
//   needs      power_of_two
//   ports      single
//   best for   short messages on hypercubes
//   source     Grama et al. 4.5.3
//   picture    p = 4: 1: 0>1[1,3] 1>0[4,6] 2>3[9,11] 3>2[12,14]; 2: 0>2[2,6] 1>3[3,7] 2>0[8,12] 3>1[9,13]
// A mesh with two nodes on every line.
#include "collective/all_to_all.hpp"
#include "collective/dimensions.hpp"
#include "collective/formula.hpp"

namespace vnode {

Schedule all_to_all_hypercube(const Parameters& parameters) {
  const std::vector<int> dimensions(static_cast<std::size_t>(ceil_log2(parameters.nodes)), 2);
  return all_to_all_mesh({.nodes = parameters.nodes, .extents = dimensions});
}

namespace registered {

constinit const Algorithm all_to_all_hypercube{
    .name = "all_to_all_hypercube",
    .collective = Collective::all_to_all,
    .build = vnode::all_to_all_hypercube,
    .cost =
        [](const Parameters& parameters) {
          const double rounds = ceil_log2(parameters.nodes), words = rounds * parameters.nodes / 2;
          return Cost{rounds, words, words, 0};
        },
    .rounds = one_per_dimension,
    .transfers = {"p log2 p",
                  [](const Parameters& parameters) {
                    return parameters.nodes * ceil_log2(parameters.nodes);
                  }},
    .time = "(t_s + t_w m p / 2) log2 p",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return across_dimension(lowest_first(parameters.nodes), round, from, to); },
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "short messages on hypercubes",
    .source = "Grama et al. 4.5.3",
};

}  // namespace registered
}  // namespace vnode
