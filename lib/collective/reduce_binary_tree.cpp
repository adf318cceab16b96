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

// The ranks relative to the root run over p - 1 to 0 inside a partial result, unless they do so between the
// two last ones.
bool through_zero(const Parameters& parameters) {
  return parameters.keep_order && parameters.root != 0 && parameters.root != first_complete(parameters.nodes);
}

ReductionPromises promises(const Parameters& parameters) {
  return {registered::broadcast_binary_tree, through_zero(parameters)};
}

constexpr Symbol symbols[] = {
    {"D", "the rounds in which one segment reaches everybody",
     [](const Parameters& parameters) { return double(complete_depth(parameters.nodes)); }},
    {"z", "1 where rank 0 combines and sends the result on, otherwise 0",
     [](const Parameters& parameters) { return double(through_zero(parameters)); }}};

}  // namespace

Schedule reduce_binary_tree(const Parameters& parameters) {
  return reduction(broadcast_binary_tree, parameters);
}

namespace registered {

extern constinit const Algorithm reduce_binary_tree{
    .name = "reduce_binary_tree",
    .collective = Collective::reduce,
    .build = vnode::reduce_binary_tree,
    .cost = Reduced<promises>::cost,
    .rounds = {"(D + (1 + [p > 2]) (k - 1)) [p > 1] + z", Reduced<promises>::rounds},
    .transfers = {"(p - 1) k + z", Reduced<promises>::transfers},
    .time = "(D + (1 + [p > 2]) (k - 1)) [p > 1] (t_s + (t_w + t_op) m / k) + z (t_s + t_w m)",
    .symbols = symbols,
    .peers = Reduced<promises>::peers,
    .segments = true,
    .keeps_order = KeepsOrder::through_zero,
    .carriers = fully_connected,
    .best_for = "messages of middle length, all pairs linked",
    .source = "dual of broadcast_binary_tree",
};

}  // namespace registered
}  // namespace vnode
