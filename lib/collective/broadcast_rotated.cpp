// broadcast_rotated: log2 p parts, each along another order of the dimensions, through all ports.
//   rounds     log2 p
//   transfers  (p - 1) log2 p
//   time       t_s log2 p + t_w m min(p - 1, 1)
//   needs      power_of_two
//   ports      all
//   best for   long messages on hypercubes whose links work at the same time
//   source     Johnsson, Ho, 1989, rotated trees; Grama et al. 4.7.2
//   picture    p = 4, root 1: 1: 1>3[0] 1>0[1]; 2: 1>0[0] 3>2[0] 1>3[1] 0>2[1]
#include "collective/broadcast.hpp"
#include "collective/rotated.hpp"

namespace vnode {

Schedule broadcast_rotated(const Parameters& parameters) {
  return rotated(broadcast_hypercube({.nodes = parameters.nodes}), parameters.root);
}

namespace registered {

constinit const Algorithm broadcast_rotated{
    .name = "broadcast_rotated",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_rotated,
    .cost =
        [](const Parameters& parameters) {
          const int parts = rotated_parts(parameters.nodes);
          double received = 0;
          for (int ones = 1; ones <= ceil_log2(parameters.nodes); ++ones) received += parts / ones;
          return Rotated<broadcast_hypercube>::cost(parameters, received / parts);
        },
    .rounds = {"log2 p", Rotated<broadcast_hypercube>::rounds},
    .transfers = {"(p - 1) log2 p", Rotated<broadcast_hypercube>::transfers},
    .time = "t_s log2 p + t_w m min(p - 1, 1)",
    .peers = rotated_tree_peers,
    .ports = Ports::all,
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "long messages on hypercubes whose links work at the same time",
    .source = "Johnsson, Ho, 1989, rotated trees; Grama et al. 4.7.2",
};

}  // namespace registered
}  // namespace vnode
