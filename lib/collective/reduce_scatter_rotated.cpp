// reduce_scatter_rotated: log2 p parts, each along another order of the dimensions, through all ports.
//   rounds     log2 p
//   transfers  p (log2 p)^2
//   time       t_s log2 p + [p > 1] t_w m (p - 1) / log2 p + t_op m (p - 1)
//   needs      power_of_two
//   ports      all
//   best for   long messages on hypercubes whose links work at the same time
//   source     dual of all_gather_rotated
//   picture    p = 4: 1: 2>+0[0,2] 3>+1[0,2] 0+>2[4,6] 1+>3[4,6] 1>+0[1,5] 3>+2[1,5] 0+>1[3,7] 2+>3[3,7]; 2:
//              1>+0[0] 0+>1[2] 3>+2[4] 2+>3[6] 2>+0[1] 0+>2[5] 3>+1[3] 1+>3[7]
#include <vnode/compose.hpp>

#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/rotated.hpp"

namespace vnode {

Schedule reduce_scatter_rotated(const Parameters& parameters) { return dual(all_gather_rotated(parameters)); }

namespace registered {

extern constinit const Algorithm reduce_scatter_rotated{
    .name = "reduce_scatter_rotated",
    .collective = Collective::reduce_scatter,
    .build = vnode::reduce_scatter_rotated,
    .cost = [](const Parameters& parameters) { return combining(all_gather_rotated.cost(parameters)); },
    .rounds = {"log2 p", Reversed<all_gather_rotated>::rounds},
    .transfers = {"p (log2 p)^2", Reversed<all_gather_rotated>::transfers},
    .time = "t_s log2 p + [p > 1] t_w m (p - 1) / log2 p + t_op m (p - 1)",
    .peers = Reversed<all_gather_rotated>::peers,
    .ports = Ports::all,
    .needs = power_of_two,
    .keeps_order = KeepsOrder::never,
    .carriers = hypercube_family,
    .best_for = "long messages on hypercubes whose links work at the same time",
    .source = "dual of all_gather_rotated",
};

}  // namespace registered
}  // namespace vnode
