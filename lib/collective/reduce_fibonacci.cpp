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

// The ranks relative to the root run over p - 1 to 0 inside a partial result, unless they do so between the
// two last ones.
bool through_zero(const Parameters& parameters) {
  return parameters.keep_order && parameters.root != 0 &&
         parameters.root != first_fibonacci(parameters.nodes);
}

ReductionPromises promises(const Parameters& parameters) {
  return {registered::broadcast_fibonacci, through_zero(parameters)};
}

constexpr Symbol symbols[] = {
    {"d", "the depth of the tree, with 1, 2, 4, 7, 12 ... nodes at most",
     [](const Parameters& parameters) { return double(fibonacci_depth(parameters.nodes)); }},
    {"z", "1 where rank 0 combines and sends the result on, otherwise 0",
     [](const Parameters& parameters) { return double(through_zero(parameters)); }}};

}  // namespace

Schedule reduce_fibonacci(const Parameters& parameters) { return reduction(broadcast_fibonacci, parameters); }

namespace registered {

extern constinit const Algorithm reduce_fibonacci{
    .name = "reduce_fibonacci",
    .collective = Collective::reduce,
    .build = vnode::reduce_fibonacci,
    .cost = Reduced<promises>::cost,
    .rounds = {"(d + (1 + [p > 3]) (k - 1)) [p > 1] + z", Reduced<promises>::rounds},
    .transfers = {"(p - 1) k + z", Reduced<promises>::transfers},
    .time = "(d + (1 + [p > 3]) (k - 1)) [p > 1] (t_s + (t_w + t_op) m / k) + z (t_s + t_w m)",
    .symbols = symbols,
    .peers = Reduced<promises>::peers,
    .segments = true,
    .keeps_order = KeepsOrder::through_zero,
    .carriers = fully_connected,
    .best_for = "messages of middle length, all pairs linked",
    .source = "dual of broadcast_fibonacci",
};

}  // namespace registered
}  // namespace vnode
