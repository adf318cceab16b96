// reduce_scatter_ring: everybody sends left what it has combined of a block; blocks end where they belong.
//   rounds     p - 1
//   transfers  p (p - 1)
//   time       (t_s + (t_w + t_op) m) (p - 1)
//   needs      nothing
//   ports      single
//   best for   long messages, any number of nodes, every topology
//   source     Grama et al., algorithm 4.5; dual of all_gather_ring
//   picture    p = 4: 1: 1>+0[2] 2>+1[3] 3>+2[0] 0+>3[1]; 2: 1>+0[3] 2>+1[0] 3+>2[1] 0+>3[2]; 3: 1>+0[0]
//              2+>1[1] 3+>2[2] 0+>3[3]
#include <vnode/compose.hpp>

#include "collective/all_gather.hpp"
#include "collective/composition.hpp"
#include "collective/reduce_scatter.hpp"

namespace vnode {

Schedule reduce_scatter_ring(const Parameters& parameters) { return dual(all_gather_ring(parameters)); }

namespace registered {

using Promised = Dual<all_gather_ring>;

constinit const Algorithm reduce_scatter_ring{
    .name = "reduce_scatter_ring",
    .collective = Collective::reduce_scatter,
    .build = vnode::reduce_scatter_ring,
    .cost = Promised::cost,
    .rounds = {"p - 1", Promised::rounds},
    .transfers = {"p (p - 1)", Promised::transfers},
    .time = "(t_s + (t_w + t_op) m) (p - 1)",
    .peers = Promised::peers,
    .keeps_order = KeepsOrder::never,
    .carriers = every_family,
    .best_for = "long messages, any number of nodes, every topology",
    .source = "Grama et al., algorithm 4.5; dual of all_gather_ring",
};

}  // namespace registered
}  // namespace vnode
