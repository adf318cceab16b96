// reduce_pipeline: segment after segment goes from rank to rank, growing, to the root.
//   rounds     (p - 2 + k) [p > 1] + z
//   transfers  (p - 1) k + z
//   time       (p - 2 + k) [p > 1] (t_s + (t_w + t_op) m / k) + z (t_s + t_w m)
//   needs      nothing
//   ports      single
//   best for   very long messages on arrays, rings and meshes, in many segments
//   source     dual of broadcast_pipeline
//   picture    p = 4, segments 2: 1: 3>+2[1]; 2: 2>+1[1] 3>+2[0]; 3: 1>+0[1] 2>+1[0]; 4: 1>+0[0]
// z: where keep_order asks for rank order and this root breaks it, rank 0 combines and sends the result on.
// k = Parameters::segments.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"

namespace vnode {

namespace {

bool through_zero(const Parameters& parameters) { return breaks_order(parameters, parameters.nodes - 1); }

using Promised = ReductionAlong<registered::broadcast_pipeline, through_zero>;

constexpr Symbol symbols[] = {Promised::z};

}  // namespace

namespace registered {

extern constinit const Algorithm reduce_pipeline = row_of<Promised>({
    .name = "reduce_pipeline",
    .collective = Collective::reduce,
    .rounds = "(p - 2 + k) [p > 1] + z",
    .transfers = "(p - 1) k + z",
    .time = "(p - 2 + k) [p > 1] (t_s + (t_w + t_op) m / k) + z (t_s + t_w m)",
    .symbols = symbols,
    .segments = true,
    .keeps_order = KeepsOrder::through_zero,
    .carriers = every_family,
    .best_for = "very long messages on arrays, rings and meshes, in many segments",
    .source = "dual of broadcast_pipeline",
});

}  // namespace registered
}  // namespace vnode
