// reduce_two_tree: up two trees, everybody inner in one and a leaf in the other.
//   rounds     (k + D) [p > 1] + z
//   transfers  (p - 1) k + z
//   time       (k + D) [p > 1] (t_s + (t_w + t_op) m / k) + z (t_s + t_w m)
//   needs      nothing
//   ports      single
//   best for   long messages, any number of nodes, all pairs linked
//   source     dual of broadcast_two_tree
//   picture    p = 6, segments 2: 1: 2+>3[1]; 2: 3>+2[0] 4>+3[1] 5>+1[1]; 3: 1+>2[0] 5>+4[0] 3>+1[1]; 4:
//              2+>4[0] 1>+0[1]; 5: 4>+0[0]
// z: where keep_order asks for rank order and this root breaks it, rank 0 combines and sends the result on.
// k = Parameters::segments.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"
#include "collective/two_tree.hpp"

namespace vnode {

namespace {

// The others, in order, run over p - 1 to 0.
bool through_zero(const Parameters& parameters) {
  return parameters.keep_order && parameters.root != 0 && parameters.root != parameters.nodes - 1;
}

ReductionPromises promises(const Parameters& parameters) {
  return {registered::broadcast_two_tree, through_zero(parameters)};
}

constexpr Symbol symbols[] = {
    {"D", "the rounds beyond one for each segment",
     [](const Parameters& parameters) {
       return double(remembered<two_trees>(parameters).rounds() - parameters.segments);
     }},
    {"z", "1 where rank 0 combines and sends the result on, otherwise 0",
     [](const Parameters& parameters) { return double(through_zero(parameters)); }}};

}  // namespace

Schedule reduce_two_tree(const Parameters& parameters) { return reduction(broadcast_two_tree, parameters); }

namespace registered {

extern constinit const Algorithm reduce_two_tree{
    .name = "reduce_two_tree",
    .collective = Collective::reduce,
    .build = vnode::reduce_two_tree,
    .cost = Reduced<promises>::cost,
    .rounds = {"(k + D) [p > 1] + z", Reduced<promises>::rounds},
    .transfers = {"(p - 1) k + z", Reduced<promises>::transfers},
    .time = "(k + D) [p > 1] (t_s + (t_w + t_op) m / k) + z (t_s + t_w m)",
    .symbols = symbols,
    .peers = Reduced<promises>::peers,
    .segments = true,
    .keeps_order = KeepsOrder::through_zero,
    .carriers = fully_connected,
    .sweep_to = 130,
    .best_for = "long messages, any number of nodes, all pairs linked",
    .source = "dual of broadcast_two_tree",
};

}  // namespace registered
}  // namespace vnode
