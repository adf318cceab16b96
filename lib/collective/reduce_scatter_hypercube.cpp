// reduce_scatter_hypercube: in every dimension, highest first, everybody sends half of what it is left with.
//   rounds     log2 p
//   transfers  p log2 p
//   time       t_s log2 p + (t_w + t_op) m (p - 1)
//   needs      power_of_two
//   ports      single
//   best for   any message on hypercubes
//   source     Grama et al., algorithm 4.8; dual of all_gather_hypercube
//   picture    p = 4: 1: 2>+0[0-1] 3>+1[0-1] 0+>2[2-3] 1+>3[2-3]; 2: 1>+0[0] 0+>1[1] 3>+2[2] 2+>3[3]
// With keep_order the lowest dimension comes first, so that intervals of ranks are combined.
// dimension_order is that of the all_gather, and is gone through backwards.
#include <vnode/compose.hpp>

#include "collective/all_gather.hpp"
#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/reduce_scatter.hpp"

namespace vnode {

Schedule reduce_scatter_hypercube(const Parameters& parameters) {
  return dual(all_gather_hypercube(parameters));
}

namespace registered {

using Promised = Dual<all_gather_hypercube>;

constinit const Algorithm reduce_scatter_hypercube{
    .name = "reduce_scatter_hypercube",
    .collective = Collective::reduce_scatter,
    .build = vnode::reduce_scatter_hypercube,
    .cost = Promised::cost,
    .rounds = {"log2 p", Promised::rounds},
    .transfers = {"p log2 p", Promised::transfers},
    .time = "t_s log2 p + (t_w + t_op) m (p - 1)",
    .peers = Promised::peers,
    .needs = power_of_two,
    .dimension_order = true,
    .carriers = hypercube_family,
    .best_for = "any message on hypercubes",
    .source = "Grama et al., algorithm 4.8; dual of all_gather_hypercube",
};

}  // namespace registered
}  // namespace vnode
