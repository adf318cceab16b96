// scatter_rotated: log2 p parts, each along another order of the dimensions, through all ports.
//   rounds     log2 p
//   transfers  (p - 1) log2 p
//   time       t_s log2 p + [p > 1] t_w m (p - 1) / log2 p
//   needs      power_of_two
//   ports      all
//   best for   long messages on hypercubes whose links work at the same time
//   source     Johnsson, Ho, 1989, rotated trees; Grama et al. 4.7.2
//   picture    p = 4, root 1: 1: 1>3[6,4] 1>0[1,5]; 2: 1>0[0] 3>2[4] 1>3[7] 0>2[5]
#include "collective/rotated.hpp"
#include "collective/scatter.hpp"

namespace vnode {

Schedule scatter_rotated(const Parameters& parameters) {
  return rotated(scatter_hypercube({.nodes = parameters.nodes}), parameters.root);
}

namespace registered {

constinit const Algorithm scatter_rotated{
    .name = "scatter_rotated",
    .collective = Collective::scatter,
    .build = vnode::scatter_rotated,
    .cost =
        [](const Parameters& parameters) {
          const int parts = rotated_parts(parameters.nodes);
          double received = 0;
          for (int d = 0; d < ceil_log2(parameters.nodes); ++d)
            received += double(parts / (d + 1) << d) / parts;
          return Rotated<scatter_hypercube>::cost(parameters, received);
        },
    .rounds = {"log2 p", Rotated<scatter_hypercube>::rounds},
    .transfers = {"(p - 1) log2 p", Rotated<scatter_hypercube>::transfers},
    .time = "t_s log2 p + [p > 1] t_w m (p - 1) / log2 p",
    .peers = rotated_tree_peers,
    .ports = Ports::all,
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "long messages on hypercubes whose links work at the same time",
    .source = "Johnsson, Ho, 1989, rotated trees; Grama et al. 4.7.2",
};

}  // namespace registered
}  // namespace vnode
