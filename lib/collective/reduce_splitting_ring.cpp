// reduce_splitting_ring: partial sums go round the ring, then a binomial gather.
//   rounds     ceil(log2 p) + p - 1
//   transfers  p^2 - 1
//   time       t_s (ceil(log2 p) + p - 1) + (2 t_w + t_op) m (p - 1) / p
//   needs      nothing
//   ports      single
//   best for   long messages, any number of nodes
//   source     Grama et al. 4.7.1
//   picture    p = 4, root 1: 1: 1>+0[2] 2>+1[3] 3>+2[0] 0+>3[1]; 2: 1>+0[3] 2>+1[0] 3+>2[1] 0+>3[2]; 3:
//              1>+0[0] 2+>1[1] 3+>2[2] 0+>3[3]; 4: 2>1[2] 0>3[0]; 5: 3>1[0,3]
#include <vnode/compose.hpp>

#include "collective/composition.hpp"
#include "collective/gather.hpp"
#include "collective/reduce_scatter.hpp"

namespace vnode {

Schedule reduce_splitting_ring(const Parameters& parameters) {
  return then(reduce_scatter_ring(parameters), gather_binomial(parameters));
}

namespace registered {

using SplittingRing = Splitting<reduce_scatter_ring, gather_binomial>;

extern constinit const Algorithm reduce_splitting_ring{
    .name = "reduce_splitting_ring",
    .collective = Collective::reduce,
    .build = vnode::reduce_splitting_ring,
    .cost = SplittingRing::cost,
    .rounds = {"ceil(log2 p) + p - 1", SplittingRing::rounds},
    .transfers = {"p^2 - 1", SplittingRing::transfers},
    .time = "t_s (ceil(log2 p) + p - 1) + (2 t_w + t_op) m (p - 1) / p",
    .peers = SplittingRing::peers,
    .keeps_order = KeepsOrder::never,
    .carriers = every_family_but_torus,
    .best_for = "long messages, any number of nodes",
    .source = "Grama et al. 4.7.1",
};

}  // namespace registered
}  // namespace vnode
