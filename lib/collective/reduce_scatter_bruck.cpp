// reduce_scatter_bruck: everybody sends runs of blocks 4, 2, 1 ranks on, and is left with its own.
//   rounds     ceil(log2 p)
//   transfers  p ceil(log2 p)
//   time       t_s ceil(log2 p) + (t_w + t_op) m (p - 1)
//   needs      nothing
//   ports      single
//   best for   short messages, any number of nodes
//   source     dual of all_gather_bruck
//   picture    p = 5: 1: 1>+0[0] 2>+1[1] 3>+2[2] 4>+3[3] 0+>4[4]; 2: 3>+0[0-1] 4>+1[1-2] 0+>2[2-3] 1+>3[3-4]
//              2>+4[4,0]; 3: 4>+0[0] 0+>1[1] 1>+2[2] 2+>3[3] 3>+4[4]
#include <vnode/compose.hpp>

#include "collective/all_gather.hpp"
#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/reduce_scatter.hpp"

namespace vnode {

Schedule reduce_scatter_bruck(const Parameters& parameters) { return dual(all_gather_bruck(parameters)); }

namespace registered {

using Promised = Dual<all_gather_bruck>;

constinit const Algorithm reduce_scatter_bruck{
    .name = "reduce_scatter_bruck",
    .collective = Collective::reduce_scatter,
    .build = vnode::reduce_scatter_bruck,
    .cost = Promised::cost,
    .rounds = {"ceil(log2 p)", Promised::rounds},
    .transfers = {"p ceil(log2 p)", Promised::transfers},
    .time = "t_s ceil(log2 p) + (t_w + t_op) m (p - 1)",
    .peers = Promised::peers,
    .keeps_order = KeepsOrder::never,
    .carriers = hypercube_family,
    .best_for = "short messages, any number of nodes",
    .source = "dual of all_gather_bruck",
};

}  // namespace registered
}  // namespace vnode
