// reduce_fences: up edge-disjoint fences, one along the root's row, one along its column.
//   rounds     (r + c + k - e) [p > 1]
//   transfers  (p - 1) k
//   time       (t_s (r + c + k - e) + (t_w + t_op) m (r + c + k - e - i) / k) [p > 1]
//   needs      extents, rows_and_columns
//   ports      single
//   best for   long messages on meshes
//   source     dual of broadcast_fences
//   picture    p = 2x3, segments 2: 1: 2+>5[1]; 2: 1+>4[1]; 3: 5>+4[1]; 4: 5>+2[0] 4+>3[1]; 5: 3>+2[0]
//              4>+1[0]; 6: 2>+1[0] 3>+0[1]; 7: 1>+0[0]
#include "collective/broadcast.hpp"
#include "collective/fences.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"

namespace vnode::registered {

extern constinit const Algorithm reduce_fences = row_of<ReductionAlong<broadcast_fences>>({
    .name = "reduce_fences",
    .collective = Collective::reduce,
    .rounds = "(r + c + k - e) [p > 1]",
    .transfers = "(p - 1) k",
    .time = "(t_s (r + c + k - e) + (t_w + t_op) m (r + c + k - e - i) / k) [p > 1]",
    .symbols = fences_symbols,
    .needs = rows_and_columns,
    .segments = true,
    .keeps_order = KeepsOrder::never,
    .carriers = mesh_families,
    .best_for = "long messages on meshes",
    .source = "dual of broadcast_fences",
});

}  // namespace vnode::registered
