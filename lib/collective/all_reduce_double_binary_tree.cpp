// all_reduce_double_binary_tree: two trees with ordinary ranks as roots; up both and down.
//   rounds     2 (k + D)
//   transfers  2 k (p - 1)
//   time       (k + D) (2 t_s + (2 t_w + t_op) m / k)
//   needs      nothing
//   ports      single
//   best for   long messages, any number of nodes, all pairs linked
//   source     NCCL 2.4, trees; Sanders, Speck, Traeff 2009
//   picture    p = 8: 1: 7>+6; 2: 3>+2 5+>6; 3: 1+>2 6>+4; 4: 2+>4; 5: 4>+0; 6: 0>4; 7: 4>2; 8: 2>1 4>6; 9:
//              2>3 6>5; 10: 6>7
// k segments. D: the rounds of one way beyond one for each segment: the greatest delay, less than 2 ceil(log2
// p). As for all_reduce_two_tree, or less, as both roots begin at once.
#include "collective/all_reduce.hpp"
#include "collective/two_tree.hpp"

namespace vnode {

using Trees = UpAndDown<double_binary_trees>;

Schedule all_reduce_double_binary_tree(const Parameters& parameters) { return Trees::build(parameters); }

namespace registered {

constinit const Algorithm all_reduce_double_binary_tree{
    .name = "all_reduce_double_binary_tree",
    .collective = Collective::all_reduce,
    .build = vnode::all_reduce_double_binary_tree,
    .cost = Trees::cost,
    .rounds = {"2 (k + D)", Trees::rounds},
    .transfers = {"2 k (p - 1)", Trees::transfers},
    .time = "(k + D) (2 t_s + (2 t_w + t_op) m / k)",
    .symbols = Trees::symbols,
    .peers = Trees::peers,
    .segments = true,
    .keeps_order = KeepsOrder::never,
    .carriers = fully_connected,
    .best_for = "long messages, any number of nodes, all pairs linked",
    .source = "NCCL 2.4, trees; Sanders, Speck, Traeff 2009",
};

}  // namespace registered
}  // namespace vnode
