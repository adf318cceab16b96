// reduce_fibonacci: up a binary tree whose second subtrees are a level lower: all leaves begin at once.
//   rounds     (d + (1 + [p > 3]) (k - 1)) [p > 1] + z
//   transfers  (p - 1) k + z
//   time       (d + (1 + [p > 3]) (k - 1)) [p > 1] (t_s + (t_w + t_op) m / k) + z (t_s + t_w m)
//   needs      nothing
//   ports      single
//   best for   messages of middle length, all pairs linked
//   source     dual of broadcast_fibonacci
//   picture    p = 7: 1: 3>+2 4>+1 6>+5; 2: 2>+1 5>+0; 3: 1>+0
// z: where keep_order asks for rank order and this root breaks it, rank 0 combines and sends the result on.
// k = Parameters::segments.
#include "collective/binary_tree.hpp"
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"

namespace vnode {

namespace {

bool through_zero(const Parameters& parameters) {
  return breaks_order(parameters, first_fibonacci(parameters.nodes));
}

using Promised = ReductionAlong<registered::broadcast_fibonacci, through_zero>;

constexpr Symbol symbols[] = {fibonacci_levels, Promised::z};

}  // namespace

namespace registered {

extern constinit const Algorithm reduce_fibonacci = row_of<Promised>({
    .name = "reduce_fibonacci",
    .collective = Collective::reduce,
    .rounds = "(d + (1 + [p > 3]) (k - 1)) [p > 1] + z",
    .transfers = "(p - 1) k + z",
    .time = "(d + (1 + [p > 3]) (k - 1)) [p > 1] (t_s + (t_w + t_op) m / k) + z (t_s + t_w m)",
    .symbols = symbols,
    .segments = true,
    .keeps_order = KeepsOrder::through_zero,
    .carriers = fully_connected,
    .best_for = "messages of middle length, all pairs linked",
    .source = "dual of broadcast_fibonacci",
});

}  // namespace registered
}  // namespace vnode
