// broadcast_two_tree: down two trees, everybody inner in one and a leaf in the other.
//   rounds     (k + D) [p > 1]
//   transfers  (p - 1) k
//   time       (k + D) [p > 1] (t_s + t_w m / k)
//   needs      nothing
//   ports      single
//   best for   long messages, any number of nodes, all pairs linked
//   source     Sanders, Speck, Traeff 2009, two-tree algorithms, mirroring
//   picture    p = 6, segments 2: 1: 0>4[0]; 2: 4>2[0] 0>1[1]; 3: 2>1[0] 4>5[0] 1>3[1]; 4: 2>3[0] 3>4[1]
//              1>5[1]; 5: 3>2[1]
// k segments, even ones through the first tree. D, which also depends on whether k is even, follows from the
// colours of the edges; D <= 2 ceil(log2 p) - 2.
#include "collective/broadcast.hpp"
#include "collective/two_tree.hpp"

namespace vnode::registered {

constinit const Algorithm broadcast_two_tree = two_tree_broadcast<two_trees>(
    "broadcast_two_tree", "Sanders, Speck, Traeff 2009, two-tree algorithms, mirroring");

}  // namespace vnode::registered
