// reduce_circulant: segments through a graph where all have the same distances to their neighbours.
//   rounds     [p > 1] (k - 1) + ceil(log2 p)
//   transfers  k (p - 1)
//   time       ([p > 1] (k - 1) + ceil(log2 p)) (t_s + (t_w + t_op) m / k)
//   needs      nothing
//   ports      single
//   best for   long messages, any number of nodes, all pairs linked: no other takes fewer rounds
//   source     dual of broadcast_circulant
//   picture    p = 5, root 0, segments 2: 1: 2+>4[0] 3>+0[1] 4>+1[1]; 2: 1+>4[0] 2>+0[1]; 3: 1>+0[1] 4+>3[0];
//              4: 3>+0[0]
// k segments.
#include "collective/circulant.hpp"
#include "collective/composition.hpp"
#include "collective/row.hpp"

namespace vnode::registered {

extern constinit const Algorithm reduce_circulant = row_of<Dual<broadcast_circulant>>({
    .name = "reduce_circulant",
    .collective = Collective::reduce,
    .rounds = circulant_rounds.text,
    .transfers = "k (p - 1)",
    .time = "([p > 1] (k - 1) + ceil(log2 p)) (t_s + (t_w + t_op) m / k)",
    .segments = true,
    .keeps_order = KeepsOrder::never,
    .carriers = hypercube_family,
    .sweep_to = 130,
    .best_for = "long messages, any number of nodes, all pairs linked: no other takes fewer rounds",
    .source = "dual of broadcast_circulant",
});

}  // namespace vnode::registered
