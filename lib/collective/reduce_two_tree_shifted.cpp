// reduce_two_tree_shifted: up two trees, the second with every rank in the place of the next.
//   rounds     (k + D) [p > 1] + z
//   transfers  (p - 1) k + z
//   time       (k + D) [p > 1] (t_s + (t_w + t_op) m / k) + z (t_s + t_w m)
//   needs      nothing
//   ports      single
//   best for   long messages, any number of nodes, all pairs linked
//   source     dual of broadcast_two_tree_shifted
//   picture    p = 6, segments 2: 1: 2>+1[1]; 2: 1+>2[0] 4>+3[1] 5>+1[1]; 3: 3>+2[0] 5>+4[0] 1+>3[1]; 4:
//              2+>4[0] 3>+0[1]; 5: 4>+0[0]
// z: where keep_order asks for rank order and this root breaks it, rank 0 combines and sends the result on.
// k = Parameters::segments.
#include "collective/broadcast.hpp"
#include "collective/two_tree.hpp"

namespace vnode::registered {

extern constinit const Algorithm reduce_two_tree_shifted =
    two_tree_reduction<broadcast_two_tree_shifted, shifted_two_trees>("reduce_two_tree_shifted",
                                                                      "dual of broadcast_two_tree_shifted");

}  // namespace vnode::registered
