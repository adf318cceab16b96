// reduce_recursive_splitting: halves of a linear array put together; far ends send towards the root.
//   rounds     ceil(log2 p)
//   transfers  p - 1
//   time       (t_s + (t_w + t_op) m) ceil(log2 p)
//   needs      nothing
//   ports      single
//   best for   short messages on meshes routed yx; keeps order from every root
//   source     dual of broadcast_recursive_splitting
//   picture    p = 6, root 2: 1: 1>+0 3+>4; 2: 0+>2 4+>5; 3: 5>+2
// Every partial result is of an interval of ranks. A way back of an xy way is a yx way: with xy messages meet
// as on 3x3, where they run away from each other.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"

namespace vnode::registered {

extern constinit const Algorithm reduce_recursive_splitting =
    row_of<ReductionAlong<broadcast_recursive_splitting>>({
        .name = "reduce_recursive_splitting",
        .collective = Collective::reduce,
        .rounds = "ceil(log2 p)",
        .transfers = "p - 1",
        .time = "(t_s + (t_w + t_op) m) ceil(log2 p)",
        .carriers = every_line_and_yx,
        .best_for = "short messages on meshes routed yx; keeps order from every root",
        .source = "dual of broadcast_recursive_splitting",
    });

}  // namespace vnode::registered
