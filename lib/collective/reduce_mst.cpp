// reduce_mst: a linear array whose halves are put together: each holder hears its partner in the other half.
//   rounds     ceil(log2 p)
//   transfers  p - 1
//   time       (t_s + (t_w + t_op) m) ceil(log2 p)
//   needs      nothing
//   ports      single
//   best for   short messages on arrays; keeps order from every root
//   source     dual of broadcast_mst
//   picture    p = 6, root 5: 1: 1>+0 4>+3; 2: 0+>2 3+>5; 3: 2+>5
// Every partial result is of an interval of ranks.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"

namespace vnode::registered {

extern constinit const Algorithm reduce_mst = row_of<ReductionAlong<broadcast_mst>>({
    .name = "reduce_mst",
    .collective = Collective::reduce,
    .rounds = "ceil(log2 p)",
    .transfers = "p - 1",
    .time = "(t_s + (t_w + t_op) m) ceil(log2 p)",
    .carriers = every_line,
    .best_for = "short messages on arrays; keeps order from every root",
    .source = "dual of broadcast_mst",
});

}  // namespace vnode::registered
