// all_reduce_two_tree: two trees, everybody inner in one and a leaf in the other; up both and down.
//   rounds     2 (k + D)
//   transfers  2 k (p - 1)
//   time       (k + D) (2 t_s + (2 t_w + t_op) m / k)
//   needs      nothing
//   ports      single
//   best for   long messages, any number of nodes, all pairs linked; keeps order
//   source     Sanders, Speck, Traeff 2009, two-tree algorithms
//   picture    p = 8: 1: 7>+6; 2: 3>+2 5+>6; 3: 1+>2 6>+4; 4: 2+>4; 5: 4>+0; 6: 0>4; 7: 4>2; 8: 2>1 4>6; 9:
//              2>3 6>5; 10: 6>7
// k segments. D: the rounds of one way beyond one for each segment: the greatest delay, less than 2 ceil(log2
// p). It follows from the colours of the edges: 4 for p = 8, 6 for 12 and 16, 10 for 64 and k > 1. For even p
// and keep_order it may be one more.
#include "collective/all_reduce.hpp"
#include "collective/two_tree.hpp"

namespace vnode {

using Trees = UpAndDown<two_trees>;

Schedule all_reduce_two_tree(const Parameters& parameters) { return Trees::build(parameters); }

namespace registered {

constinit const Algorithm all_reduce_two_tree{
    .name = "all_reduce_two_tree",
    .collective = Collective::all_reduce,
    .build = vnode::all_reduce_two_tree,
    .cost = Trees::cost,
    .rounds = {"2 (k + D)", Trees::rounds},
    .transfers = {"2 k (p - 1)", Trees::transfers},
    .time = "(k + D) (2 t_s + (2 t_w + t_op) m / k)",
    .symbols = Trees::symbols,
    .peers = Trees::peers,
    .segments = true,
    .carriers = fully_connected,
    .sweep_to = 130,
    .best_for = "long messages, any number of nodes, all pairs linked; keeps order",
    .source = "Sanders, Speck, Traeff 2009, two-tree algorithms",
};

}  // namespace registered
}  // namespace vnode
