// all_reduce_rotated: log2 p parts, each along another order of the dimensions, through all ports.
//   rounds     log2 p
//   transfers  p (log2 p)^2
//   time       t_s log2 p + t_w m min(p - 1, 1) + t_op m log2 p
//   needs      power_of_two
//   ports      all
//   best for   long messages on hypercubes whose links work at the same time
//   source     Johnsson, Ho, 1989, rotated trees; Grama et al. 4.7.2
//   picture    p = 4: 1: 0+>1[0] 1>+0[0] 2+>3[0] 3>+2[0] 0+>2[1] 2>+0[1] 1+>3[1] 3>+1[1]; 2: 0+>2[0] 1+>3[0]
//              2>+0[0] 3>+1[0] 0+>1[1] 2+>3[1] 1>+0[1] 3>+2[1]
#include "collective/all_reduce.hpp"
#include "collective/rotated.hpp"

namespace vnode {

Schedule all_reduce_rotated(const Parameters& parameters) {
  return rotated(all_reduce_doubling({.nodes = parameters.nodes}), 0);
}

namespace registered {

extern constinit const Algorithm all_reduce_rotated{
    .name = "all_reduce_rotated",
    .collective = Collective::all_reduce,
    .build = vnode::all_reduce_rotated,
    .cost =
        [](const Parameters& parameters) {
          const double all = all_reduce_doubling.cost(parameters).received;
          return combining(Rotated<all_reduce_doubling>::cost(parameters, all));
        },
    .rounds = {"log2 p", Rotated<all_reduce_doubling>::rounds},
    .transfers = {"p (log2 p)^2", Rotated<all_reduce_doubling>::transfers},
    .time = "t_s log2 p + t_w m min(p - 1, 1) + t_op m log2 p",
    .peers = Rotated<all_reduce_doubling>::peers,
    .ports = Ports::all,
    .needs = power_of_two,
    .keeps_order = KeepsOrder::never,
    .carriers = hypercube_family,
    .best_for = "long messages on hypercubes whose links work at the same time",
    .source = "Johnsson, Ho, 1989, rotated trees; Grama et al. 4.7.2",
};

}  // namespace registered
}  // namespace vnode
