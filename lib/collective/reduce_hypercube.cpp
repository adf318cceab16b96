// reduce_hypercube: one dimension a round, in any order; every message is one hop.
//   rounds     log2 p
//   transfers  p - 1
//   time       (t_s + (t_w + t_op) m) log2 p
//   needs      power_of_two
//   ports      single
//   best for   short messages on hypercubes
//   source     Grama et al. 4.1.3, algorithm 4.3
//   picture    p = 8, root 0: 1: 1>+0 3>+2 5>+4 7>+6; 2: 2>+0 6>+4; 3: 4>+0
// The dual of broadcast_hypercube: Parameters::dimension_order is taken backwards. Rank order is kept if the
// lowest dimension is combined first, as it is without an order given.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"

namespace vnode::registered {

extern constinit const Algorithm reduce_hypercube = row_of<ReductionAlong<broadcast_hypercube>>({
    .name = "reduce_hypercube",
    .collective = Collective::reduce,
    .rounds = "log2 p",
    .transfers = "p - 1",
    .time = "(t_s + (t_w + t_op) m) log2 p",
    .needs = power_of_two,
    .dimension_order = true,
    .carriers = hypercube_family,
    .best_for = "short messages on hypercubes",
    .source = "Grama et al. 4.1.3, algorithm 4.3",
});

}  // namespace vnode::registered
