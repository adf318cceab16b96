// all_gather_rotated: log2 p parts, each along another order of the dimensions, through all ports.
//   rounds     log2 p
//   transfers  p (log2 p)^2
//   time       t_s log2 p + [p > 1] t_w m (p - 1) / log2 p
//   needs      power_of_two
//   ports      all
//   best for   long messages on hypercubes whose links work at the same time
//   source     Johnsson, Ho, 1989, rotated trees; Grama et al. 4.7.2
//   picture    p = 4: 1: 0>1[0] 1>0[2] 2>3[4] 3>2[6] 0>2[1] 2>0[5] 1>3[3] 3>1[7]; 2: 0>2[0,2] 1>3[0,2]
//              2>0[4,6] 3>1[4,6] 0>1[1,5] 2>3[1,5] 1>0[3,7] 3>2[3,7]
#include "collective/all_gather.hpp"
#include "collective/rotated.hpp"

namespace vnode {

Schedule all_gather_rotated(const Parameters& parameters) {
  return rotated(all_gather_hypercube({.nodes = parameters.nodes}), 0);
}

namespace registered {

constinit const Algorithm all_gather_rotated{
    .name = "all_gather_rotated",
    .collective = Collective::all_gather,
    .build = vnode::all_gather_rotated,
    .cost =
        [](const Parameters& parameters) {
          return Rotated<all_gather_hypercube>::cost(parameters, parameters.nodes - 1);
        },
    .rounds = {"log2 p", Rotated<all_gather_hypercube>::rounds},
    .transfers = {"p (log2 p)^2", Rotated<all_gather_hypercube>::transfers},
    .time = "t_s log2 p + [p > 1] t_w m (p - 1) / log2 p",
    .peers = Rotated<all_gather_hypercube>::peers,
    .ports = Ports::all,
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "long messages on hypercubes whose links work at the same time",
    .source = "Johnsson, Ho, 1989, rotated trees; Grama et al. 4.7.2",
};

}  // namespace registered
}  // namespace vnode
