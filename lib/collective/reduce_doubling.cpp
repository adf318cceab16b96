// reduce_doubling: recursive doubling backwards: distances double, partial results halve in number.
//   rounds     log2 p
//   transfers  p - 1
//   time       (t_s + (t_w + t_op) m) log2 p
//   needs      power_of_two
//   ports      single
//   best for   short messages on arrays, rings, meshes and trees of 2^d nodes
//   source     Grama et al. 4.1.1, algorithm 4.3; any root by XOR
//   picture    p = 8, root 0: 1: 1>+0 3>+2 5>+4 7>+6; 2: 2>+0 6>+4; 3: 4>+0
// Partial results are aligned groups of ranks: rank order is kept for every root.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"

namespace vnode::registered {

extern constinit const Algorithm reduce_doubling = row_of<ReductionAlong<broadcast_doubling>>({
    .name = "reduce_doubling",
    .collective = Collective::reduce,
    .rounds = "log2 p",
    .transfers = "p - 1",
    .time = "(t_s + (t_w + t_op) m) log2 p",
    .needs = power_of_two,
    .carriers = every_family,
    .best_for = "short messages on arrays, rings, meshes and trees of 2^d nodes",
    .source = "Grama et al. 4.1.1, algorithm 4.3; any root by XOR",
});

}  // namespace vnode::registered
