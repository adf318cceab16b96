// gather_rotated: log2 p parts, each along another order of the dimensions, through all ports.
//   rounds     log2 p
//   transfers  (p - 1) log2 p
//   time       t_s log2 p + [p > 1] t_w m (p - 1) / log2 p
//   needs      power_of_two
//   ports      all
//   best for   long messages on hypercubes whose links work at the same time
//   source     scatter_rotated backwards
//   picture    p = 4, root 1: 1: 0>1[0] 2>3[4] 3>1[7] 2>0[5]; 2: 3>1[6,4] 0>1[1,5]
#include <vnode/compose.hpp>

#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/rotated.hpp"

namespace vnode {

Schedule gather_rotated(const Parameters& parameters) { return reversed(scatter_rotated(parameters)); }

namespace registered {

extern constinit const Algorithm gather_rotated{
    .name = "gather_rotated",
    .collective = Collective::gather,
    .build = vnode::gather_rotated,
    .cost =
        [](const Parameters& parameters) {
          Cost cost = scatter_rotated.cost(parameters);
          cost.received = parameters.nodes - 1;  // by the root
          return cost;
        },
    .rounds = {"log2 p", Reversed<scatter_rotated>::rounds},
    .transfers = {"(p - 1) log2 p", Reversed<scatter_rotated>::transfers},
    .time = "t_s log2 p + [p > 1] t_w m (p - 1) / log2 p",
    .peers = Reversed<scatter_rotated>::peers,
    .ports = Ports::all,
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "long messages on hypercubes whose links work at the same time",
    .source = "scatter_rotated backwards",
};

}  // namespace registered
}  // namespace vnode
