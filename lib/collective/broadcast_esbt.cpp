// broadcast_esbt: segments go in turn through log2 p edge-disjoint spanning binomial trees.
//   rounds     [p > 1] k + [p > 2] log2 p
//   transfers  k (p - 1)
//   time       ([p > 1] k + [p > 2] log2 p) (t_s + t_w m / k)
//   needs      power_of_two
//   ports      single
//   best for   long messages on hypercubes, in many segments
//   source     Johnsson, Ho, 1989; Wikipedia, Broadcast (parallel pattern), ESBT
//   picture    p = 4, root 0, segments 2: 1: 0>1[0]; 2: 0>2[1] 1>3[0]; 3: 3>2[0] 2>3[1]; 4: 3>1[1]
// k segments. In round t all nodes use dimension t mod d.
#include "collective/esbt.hpp"
#include "collective/row.hpp"

namespace vnode::registered {

constinit const Algorithm broadcast_esbt = row_of<EsbtBroadcast<Ports::single>>({
    .name = "broadcast_esbt",
    .collective = Collective::broadcast,
    .rounds = "[p > 1] k + [p > 2] log2 p",
    .transfers = "k (p - 1)",
    .time = "([p > 1] k + [p > 2] log2 p) (t_s + t_w m / k)",
    .needs = power_of_two,
    .segments = true,
    .carriers = hypercube_family,
    .sweep_to = 256,
    .best_for = "long messages on hypercubes, in many segments",
    .source = "Johnsson, Ho, 1989; Wikipedia, Broadcast (parallel pattern), ESBT",
});

}  // namespace vnode::registered
