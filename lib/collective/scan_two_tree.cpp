// scan_two_tree: totals go up two trees, then the sums of all lower ranks go down.
//   rounds     (2 k + D) [p > 1]
//   transfers  2 k (p - 1) - u
//   time       (2 k + D) [p > 1] (t_s + (t_w + t_op) m / k) + t_op m C
//   needs      nothing
//   ports      single
//   best for   long messages, any number of nodes, all pairs linked
//   source     Sanders, Speck, Traeff 2009, two-tree algorithms
//   picture    p = 4, segments 2: 1: 2+>3[3:1]; 2: 1+>2[2:0]; 3: 0+>2[2:0] 0>2[2]; 4: 2+>3[0] 0+>1[3:1]; 5:
//              2+>1[2:0] 1+>3[1] 1>3[1:3]; 6: 3+>2[3:1]
// k segments; two trees in rank order, each node inner in one of them. D < 4 ceil(log2 p).
#include "collective/tree_scan.hpp"

namespace vnode::registered {

extern constinit const Algorithm scan_two_tree = two_tree_scan<Prefix::inclusive>("scan_two_tree");

}  // namespace vnode::registered
