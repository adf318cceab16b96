// reduce_linear: the root hears every other node in turn, those that touch its ranks first.
//   rounds     p - 1
//   transfers  p - 1
//   time       (t_s + (t_w + t_op) m) (p - 1)
//   needs      nothing
//   ports      single
//   best for   two nodes, and as the measure of all others
//   source     Grama et al. 4.1, the naive way; dual of broadcast_linear
//   picture    p = 6, root 2: 1: 1+>2; 2: 0+>2; 3: 3>+2; 4: 4>+2; 5: 5>+2
// What the root has combined is an interval of ranks at any time: rank order is kept for every root.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"

namespace vnode::registered {

extern constinit const Algorithm reduce_linear = row_of<ReductionAlong<broadcast_linear>>({
    .name = "reduce_linear",
    .collective = Collective::reduce,
    .rounds = "p - 1",
    .transfers = "p - 1",
    .time = "(t_s + (t_w + t_op) m) (p - 1)",
    .carriers = every_family,
    .best_for = "two nodes, and as the measure of all others",
    .source = "Grama et al. 4.1, the naive way; dual of broadcast_linear",
});

}  // namespace vnode::registered
