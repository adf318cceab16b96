// reduce_scatter_circulant: all p reductions in a circulant graph at once, each shifted to its root.
//   rounds     [p > 1] (k - 1) + ceil(log2 p)
//   transfers  p ([p > 1] (k - 1) + ceil(log2 p))
//   time       t_s ([p > 1] (k - 1) + ceil(log2 p)) + (t_w + t_op) m (p - 1)
//   needs      nothing
//   ports      single
//   best for   results of very different sizes, in segments, any number of nodes
//   source     dual of all_gather_circulant
//   picture    p = 5: 1: 0+>2[1-2] 1+>3[2-3] 2+>4[3-4] 3>+0[4,0] 4>+1[0-1]; 2: 0+>3[3] 1+>4[4] 2>+0[0]
//              3>+1[1] 4>+2[2]; 3: 0+>4[4] 1>+0[0] 2+>1[1] 3>+2[2] 4>+3[3]
// k segments.
#include "collective/circulant.hpp"
#include "collective/composition.hpp"
#include "collective/row.hpp"

namespace vnode::registered {

extern constinit const Algorithm reduce_scatter_circulant = row_of<Dual<all_gather_circulant>>({
    .name = "reduce_scatter_circulant",
    .collective = Collective::reduce_scatter,
    .rounds = circulant_rounds.text,
    .transfers = "p ([p > 1] (k - 1) + ceil(log2 p))",
    .time = "t_s ([p > 1] (k - 1) + ceil(log2 p)) + (t_w + t_op) m (p - 1)",
    .segments = true,
    .keeps_order = KeepsOrder::never,
    .carriers = hypercube_family,
    .sweep_to = 130,
    .best_for = "results of very different sizes, in segments, any number of nodes",
    .source = "dual of all_gather_circulant",
});

}  // namespace vnode::registered
