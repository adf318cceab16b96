// exclusive_scan_two_tree: scan_two_tree without the own contribution.
//   rounds     (2 k + D) [p > 1]
//   transfers  2 k (p - 1) - u
//   time       (2 k + D) [p > 1] (t_s + (t_w + t_op) m / k) + t_op m C
//   needs      nothing
//   ports      single
//   best for   long messages, any number of nodes, all pairs linked
//   source     Sanders, Speck, Traeff 2009, two-tree algorithms
//   picture    p = 4, segments 2: 1: 2>3[5:1]; 2: 1>2[4:0] 1+>2[4:2]; 3: 0+>2[4:0] 0+>2[4:2] 0>2[4]; 4:
//              2>3[2:0] 0>1[5:1] 0+>1[5:3]; 5: 2>1[4:0] 1+>3[3:1] 1>3[3:5]; 6: 3>2[5:1]
// k segments. Blocks 0 to k - 1 are the result; the next k the same with the own contribution, for the upper
// subtree; the last k running totals.
#include "collective/tree_scan.hpp"

namespace vnode::registered {

extern constinit const Algorithm exclusive_scan_two_tree =
    two_tree_scan<Prefix::exclusive>("exclusive_scan_two_tree");

}  // namespace vnode::registered
