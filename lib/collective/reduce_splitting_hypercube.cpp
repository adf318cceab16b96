// reduce_splitting_hypercube: a reduce_scatter, then a gather.
//   rounds     2 log2 p
//   transfers  p - 1 + p log2 p
//   time       2 t_s log2 p + (2 t_w + t_op) m (p - 1) / p
//   needs      power_of_two
//   ports      single
//   best for   long messages on hypercubes
//   source     Grama et al. 4.7.1
//   picture    p = 4, root 1: 1: 2>+0[0-1] 3>+1[0-1] 0+>2[2-3] 1+>3[2-3]; 2: 1>+0[0] 0+>1[1] 3>+2[2] 2+>3[3];
//              3: 0>1[0] 2>3[2]; 4: 3>1[2-3]
#include <vnode/compose.hpp>

#include "collective/composition.hpp"
#include "collective/gather.hpp"
#include "collective/reduce_scatter.hpp"

namespace vnode {

Schedule reduce_splitting_hypercube(const Parameters& parameters) {
  return then(reduce_scatter_hypercube(parameters), gather_hypercube(parameters));
}

namespace registered {

using SplittingHypercube = Splitting<reduce_scatter_hypercube, gather_hypercube>;

extern constinit const Algorithm reduce_splitting_hypercube{
    .name = "reduce_splitting_hypercube",
    .collective = Collective::reduce,
    .build = vnode::reduce_splitting_hypercube,
    .cost = SplittingHypercube::cost,
    .rounds = {"2 log2 p", SplittingHypercube::rounds},
    .transfers = {"p - 1 + p log2 p", SplittingHypercube::transfers},
    .time = "2 t_s log2 p + (2 t_w + t_op) m (p - 1) / p",
    .peers = SplittingHypercube::peers,
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "long messages on hypercubes",
    .source = "Grama et al. 4.7.1",
};

}  // namespace registered
}  // namespace vnode
