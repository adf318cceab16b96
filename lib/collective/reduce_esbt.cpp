// reduce_esbt: segments come in turn through log2 p edge-disjoint spanning binomial trees.
//   rounds     [p > 1] k + [p > 2] log2 p
//   transfers  k (p - 1)
//   time       ([p > 1] k + [p > 2] log2 p) (t_s + (t_w + t_op) m / k)
//   needs      power_of_two
//   ports      single
//   best for   long messages on hypercubes, in many segments
//   source     dual of broadcast_esbt
//   picture    p = 4, root 0, segments 2: 1: 1+>3[1]; 2: 2+>3[0] 3+>2[1]; 3: 2>+0[1] 3>+1[0]; 4: 1>+0[0]
// k segments.
#include "collective/composition.hpp"
#include "collective/esbt.hpp"
#include "collective/row.hpp"

namespace vnode::registered {

extern constinit const Algorithm reduce_esbt = row_of<Dual<broadcast_esbt>>({
    .name = "reduce_esbt",
    .collective = Collective::reduce,
    .rounds = "[p > 1] k + [p > 2] log2 p",
    .transfers = "k (p - 1)",
    .time = "([p > 1] k + [p > 2] log2 p) (t_s + (t_w + t_op) m / k)",
    .needs = power_of_two,
    .segments = true,
    .keeps_order = KeepsOrder::never,
    .carriers = hypercube_family,
    .sweep_to = 256,
    .best_for = "long messages on hypercubes, in many segments",
    .source = "dual of broadcast_esbt",
});

}  // namespace vnode::registered
