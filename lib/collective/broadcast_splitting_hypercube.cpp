// broadcast_splitting_hypercube: a scatter, highest dimension first, then an all_gather, lowest first.
//   rounds     2 log2 p
//   transfers  p log2 p
//   time       2 t_s log2 p + 2 t_w m (p - 1) / p
//   needs      power_of_two
//   ports      single
//   best for   long messages on hypercubes
//   source     Grama et al. 4.7.1
//   picture    p = 4, root 1: 1: 1>3[2-3]; 2: 1>0[0] 3>2[2]; 3: 1>0[1] 3>2[3]; 4: 0>2[0-1] 1>3[0-1] 2>0[2-3]
// Nobody is sent what it has: of the subcubes that a node has passed on, in the scatter, it hears nothing.
#include "collective/all_gather.hpp"
#include "collective/composition.hpp"
#include "collective/scatter.hpp"
#include "collective/splitting.hpp"

namespace vnode {

Schedule broadcast_splitting_hypercube(const Parameters& parameters) {
  return split_broadcast(scatter_hypercube(parameters), all_gather_hypercube(parameters), parameters.root);
}

namespace registered {

using SplittingHypercube = Splitting<scatter_hypercube, all_gather_hypercube>;

extern constinit const Algorithm broadcast_splitting_hypercube{
    .name = "broadcast_splitting_hypercube",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_splitting_hypercube,
    .cost = SplittingHypercube::cost,
    .rounds = {"2 log2 p", SplittingHypercube::rounds},
    .transfers = {"p log2 p", Along<all_gather_hypercube>::transfers},
    .time = "2 t_s log2 p + 2 t_w m (p - 1) / p",
    .peers = SplittingHypercube::peers,
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "long messages on hypercubes",
    .source = "Grama et al. 4.7.1",
};

}  // namespace registered
}  // namespace vnode
