// all_to_all_rotated: log2 p parts, each along another order of the dimensions, through all ports.
//   rounds     log2 p
//   transfers  p (log2 p)^2
//   time       t_s log2 p + [p > 1] t_w m p / 2
//   needs      power_of_two
//   ports      all
//   best for   long messages on hypercubes whose links work at the same time
//   source     Johnsson, Ho, 1989, rotated trees; Grama et al. 4.7.2
//   picture    p = 4: 1: 0>1[2,6] 1>0[8,12] 2>3[18,22] 3>2[24,28] 0>2[5,7] 2>0[17,19] 1>3[13,15] 3>1[25,27];
//              2: 0>2[4,12] 1>3[6,14] 2>0[16,24] 3>1[18,26] 0>1[3,19] 2>3[7,23] 1>0[9,25] 3>2[13,29]
#include "collective/all_to_all.hpp"
#include "collective/rotated.hpp"

namespace vnode {

Schedule all_to_all_rotated(const Parameters& parameters) {
  return rotated(all_to_all_hypercube({.nodes = parameters.nodes}), 0);
}

namespace registered {

extern constinit const Algorithm all_to_all_rotated{
    .name = "all_to_all_rotated",
    .collective = Collective::all_to_all,
    .build = vnode::all_to_all_rotated,
    .cost =
        [](const Parameters& parameters) {
          const double all = all_to_all_hypercube.cost(parameters).received;
          return Rotated<all_to_all_hypercube>::cost(parameters, all);
        },
    .rounds = {"log2 p", Rotated<all_to_all_hypercube>::rounds},
    .transfers = {"p (log2 p)^2", Rotated<all_to_all_hypercube>::transfers},
    .time = "t_s log2 p + [p > 1] t_w m p / 2",
    .peers = Rotated<all_to_all_hypercube>::peers,
    .ports = Ports::all,
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "long messages on hypercubes whose links work at the same time",
    .source = "Johnsson, Ho, 1989, rotated trees; Grama et al. 4.7.2",
};

}  // namespace registered
}  // namespace vnode
