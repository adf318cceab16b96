// reduce_binomial: a binomial tree over ranks relative to the root, for any p; distances double.
//   rounds     ceil(log2 p) + z
//   transfers  p - 1 + z
//   time       (t_s + (t_w + t_op) m) ceil(log2 p) + (t_s + t_w m) z
//   needs      nothing
//   ports      single
//   best for   short messages, any number of nodes
//   source     dual of broadcast_binomial
//   picture    p = 6, root 0: 1: 1>+0 3>+2 5>+4; 2: 2>+0; 3: 4>+0
// z: where keep_order asks for rank order and this root breaks it, rank 0 combines and sends the result on.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"

namespace vnode {

namespace {

bool through_zero(const Parameters& parameters) {
  return breaks_order(parameters, parameters.nodes - top_distance(parameters.nodes));
}

using Promised = ReductionAlong<registered::broadcast_binomial, through_zero>;

constexpr Symbol symbols[] = {Promised::z};

}  // namespace

Schedule reduce_binomial(const Parameters& parameters) { return Promised::build(parameters); }

namespace registered {

extern constinit const Algorithm reduce_binomial = row_of<Promised>({
    .name = "reduce_binomial",
    .collective = Collective::reduce,
    .rounds = "ceil(log2 p) + z",
    .transfers = "p - 1 + z",
    .time = "(t_s + (t_w + t_op) m) ceil(log2 p) + (t_s + t_w m) z",
    .symbols = symbols,
    .keeps_order = KeepsOrder::through_zero,
    .carriers = every_family_but_torus,
    .best_for = "short messages, any number of nodes",
    .source = "dual of broadcast_binomial",
});

}  // namespace registered
}  // namespace vnode
