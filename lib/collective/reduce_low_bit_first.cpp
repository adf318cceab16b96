// reduce_low_bit_first: the dual of the counter-example: distances halve, messages pile up on links.
//   rounds     log2 p
//   transfers  p - 1
//   time       (t_s + (t_w + t_op) m) log2 p
//   needs      power_of_two
//   ports      single
//   best for   showing congestion: the first round has load p/2 on an array or tree
//   source     dual of broadcast_low_bit_first
//   picture    p = 8, root 0: 1: 4>+0 5>+1 6>+2 7>+3; 2: 2>+0 3>+1; 3: 1>+0
// The time is that of a cube; on an array, where messages meet, t_w m log2 p becomes t_w m (p - 1).
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"

namespace vnode::registered {

extern constinit const Algorithm reduce_low_bit_first = row_of<ReductionAlong<broadcast_low_bit_first>>({
    .name = "reduce_low_bit_first",
    .collective = Collective::reduce,
    .rounds = "log2 p",
    .transfers = "p - 1",
    .time = "(t_s + (t_w + t_op) m) log2 p",
    .needs = power_of_two,
    .keeps_order = KeepsOrder::never,
    .carriers = hypercube_family,
    .best_for = "showing congestion: the first round has load p/2 on an array or tree",
    .source = "dual of broadcast_low_bit_first",
});

}  // namespace vnode::registered
