// reduce_rotated: log2 p parts, each along another order of the dimensions, through all ports.
//   rounds     log2 p
//   transfers  (p - 1) log2 p
//   time       t_s log2 p + t_w m min(p - 1, 1) + t_op m log2 p
//   needs      power_of_two
//   ports      all
//   best for   long messages on hypercubes whose links work at the same time
//   source     dual of broadcast_rotated
//   picture    p = 4, root 1: 1: 0+>1[0] 2+>3[0] 3>+1[1] 2>+0[1]; 2: 3>+1[0] 0+>1[1]
#include <vnode/compose.hpp>

#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/rotated.hpp"

namespace vnode {

Schedule reduce_rotated(const Parameters& parameters) { return dual(broadcast_rotated(parameters)); }

namespace registered {

extern constinit const Algorithm reduce_rotated{
    .name = "reduce_rotated",
    .collective = Collective::reduce,
    .build = vnode::reduce_rotated,
    .cost =
        [](const Parameters& parameters) {
          Cost cost = broadcast_rotated.cost(parameters);
          cost.received = ceil_log2(parameters.nodes);  // by the root, through all ports in every round
          return combining(cost);
        },
    .rounds = {"log2 p", Reversed<broadcast_rotated>::rounds},
    .transfers = {"(p - 1) log2 p", Reversed<broadcast_rotated>::transfers},
    .time = "t_s log2 p + t_w m min(p - 1, 1) + t_op m log2 p",
    .peers = Reversed<broadcast_rotated>::peers,
    .ports = Ports::all,
    .needs = power_of_two,
    .keeps_order = KeepsOrder::never,
    .carriers = hypercube_family,
    .best_for = "long messages on hypercubes whose links work at the same time",
    .source = "dual of broadcast_rotated",
};

}  // namespace registered
}  // namespace vnode
