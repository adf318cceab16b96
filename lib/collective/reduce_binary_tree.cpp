// reduce_binary_tree: up the complete binary tree, from one child and then from the other.
//   rounds     (D + (1 + [p > 2]) (k - 1)) [p > 1] + z
//   transfers  (p - 1) k + z
//   time       (D + (1 + [p > 2]) (k - 1)) [p > 1] (t_s + (t_w + t_op) m / k) + z (t_s + t_w m)
//   needs      nothing
//   ports      single
//   best for   messages of middle length, all pairs linked
//   source     dual of broadcast_binary_tree
//   picture    p = 7: 1: 6>+4; 2: 3>+1 5>+4; 3: 2>+1 4>+0; 4: 1>+0
// z: where keep_order asks for rank order and this root breaks it, rank 0 combines and sends the result on.
// k = Parameters::segments.
#include "collective/binary_tree.hpp"
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"

namespace vnode {

namespace {

bool through_zero(const Parameters& parameters) {
  return breaks_order(parameters, first_complete(parameters.nodes));
}

using Promised = ReductionAlong<registered::broadcast_binary_tree, through_zero>;

constexpr Symbol symbols[] = {complete_rounds, Promised::z};

}  // namespace

namespace registered {

extern constinit const Algorithm reduce_binary_tree = row_of<Promised>({
    .name = "reduce_binary_tree",
    .collective = Collective::reduce,
    .rounds = "(D + (1 + [p > 2]) (k - 1)) [p > 1] + z",
    .transfers = "(p - 1) k + z",
    .time = "(D + (1 + [p > 2]) (k - 1)) [p > 1] (t_s + (t_w + t_op) m / k) + z (t_s + t_w m)",
    .symbols = symbols,
    .segments = true,
    .keeps_order = KeepsOrder::through_zero,
    .carriers = fully_connected,
    .best_for = "messages of middle length, all pairs linked",
    .source = "dual of broadcast_binary_tree",
});

}  // namespace registered
}  // namespace vnode
