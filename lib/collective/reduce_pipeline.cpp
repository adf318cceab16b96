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

// Between, partial results run over p - 1 to 0.
bool through_zero(const Parameters& parameters) {
  return parameters.keep_order && parameters.root != 0 && parameters.root != parameters.nodes - 1;
}

ReductionPromises promises(const Parameters& parameters) {
  return {registered::broadcast_pipeline, through_zero(parameters)};
}

constexpr Symbol symbols[] = {

    {"z", "1 where rank 0 combines and sends the result on, otherwise 0",
     [](const Parameters& parameters) { return double(through_zero(parameters)); }}};

}  // namespace

Schedule reduce_pipeline(const Parameters& parameters) { return reduction(broadcast_pipeline, parameters); }

namespace registered {

extern constinit const Algorithm reduce_pipeline{
    .name = "reduce_pipeline",
    .collective = Collective::reduce,
    .build = vnode::reduce_pipeline,
    .cost = Reduced<promises>::cost,
    .rounds = {"(p - 2 + k) [p > 1] + z", Reduced<promises>::rounds},
    .transfers = {"(p - 1) k + z", Reduced<promises>::transfers},
    .time = "(p - 2 + k) [p > 1] (t_s + (t_w + t_op) m / k) + z (t_s + t_w m)",
    .symbols = symbols,
    .peers = Reduced<promises>::peers,
    .segments = true,
    .keeps_order = KeepsOrder::through_zero,
    .carriers = every_family,
    .best_for = "very long messages on arrays, rings and meshes, in many segments",
    .source = "dual of broadcast_pipeline",
};

}  // namespace registered
}  // namespace vnode
