// broadcast_binary_tree: down the complete binary tree, to one child and then to the other.
//   rounds     (D + (1 + [p > 2]) (k - 1)) [p > 1]
//   transfers  (p - 1) k
//   time       (D + (1 + [p > 2]) (k - 1)) [p > 1] (t_s + t_w m / k)
//   needs      nothing
//   ports      single
//   best for   messages of middle length, all pairs linked
//   source     Wikipedia, Broadcast (parallel pattern), pipelined binary tree
//   picture    p = 7: 1: 0>1; 2: 1>2 0>4; 3: 1>3 4>5; 4: 4>6
// D = max(2 h - 2, h + floor(log2(p + 1 - 2^h))), h = floor(log2 p): 2 h for full trees. k =
// Parameters::segments.
#include "collective/binary_tree.hpp"
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/row.hpp"

namespace vnode::registered {

using Tree = DownBinaryTree<first_complete, complete_depth, 2>;

static constexpr Symbol symbols[] = {complete_rounds};

constinit const Algorithm broadcast_binary_tree = row_of<Tree>({
    .name = "broadcast_binary_tree",
    .collective = Collective::broadcast,
    .rounds = "(D + (1 + [p > 2]) (k - 1)) [p > 1]",
    .transfers = "(p - 1) k",
    .time = "(D + (1 + [p > 2]) (k - 1)) [p > 1] (t_s + t_w m / k)",
    .symbols = symbols,
    .segments = true,
    .carriers = fully_connected,
    .best_for = "messages of middle length, all pairs linked",
    .source = "Wikipedia, Broadcast (parallel pattern), pipelined binary tree",
});

}  // namespace vnode::registered
