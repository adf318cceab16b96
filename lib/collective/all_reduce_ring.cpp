// all_reduce_ring: a reduce_scatter round the ring, then an all_gather the other way round.
//   rounds     2 (p - 1)
//   transfers  2 p (p - 1)
//   time       (p - 1) (2 t_s + (2 t_w + t_op) m / p)
//   needs      nothing
//   ports      single
//   best for   long messages, any number of nodes, every topology
//   source     reduce_scatter_ring, then all_gather_ring
//   picture    p = 4: 1: 1>+0[2] 2>+1[3] 3>+2[0] 0+>3[1]; 2: 1>+0[3] 2>+1[0] 3+>2[1] 0+>3[2]; 3: 1>+0[0]
//              2+>1[1] 3+>2[2] 0+>3[3]; 4: 0>1[0] 1>2[1] 2>3[2] 3>0[3]; 5: 0>1[3] 1>2[0] 2>3[1] 3>0[2]; 6:
//              0>1[2] 1>2[3] 2>3[0] 3>0[1]
#include <vnode/compose.hpp>

#include "collective/all_gather.hpp"
#include "collective/all_reduce.hpp"
#include "collective/composition.hpp"
#include "collective/reduce_scatter.hpp"

namespace vnode {

Schedule all_reduce_ring(const Parameters& parameters) {
  return then(reduce_scatter_ring(parameters), all_gather_ring(parameters));
}

namespace registered {

using Promised = Splitting<reduce_scatter_ring, all_gather_ring>;

constinit const Algorithm all_reduce_ring{
    .name = "all_reduce_ring",
    .collective = Collective::all_reduce,
    .build = vnode::all_reduce_ring,
    .cost = Promised::cost,
    .rounds = {"2 (p - 1)", Promised::rounds},
    .transfers = {"2 p (p - 1)", Promised::transfers},
    .time = "(p - 1) (2 t_s + (2 t_w + t_op) m / p)",
    .peers = Promised::peers,
    .keeps_order = KeepsOrder::never,
    .carriers = every_family,
    .best_for = "long messages, any number of nodes, every topology",
    .source = "reduce_scatter_ring, then all_gather_ring",
};

}  // namespace registered
}  // namespace vnode
