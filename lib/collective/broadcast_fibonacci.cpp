// broadcast_fibonacci: down a binary tree whose second subtrees are a level lower: all leaves hear at once.
//   rounds     (d + (1 + [p > 3]) (k - 1)) [p > 1]
//   transfers  (p - 1) k
//   time       (d + (1 + [p > 3]) (k - 1)) [p > 1] (t_s + t_w m / k)
//   needs      nothing
//   ports      single
//   best for   messages of middle length, all pairs linked
//   source     Wikipedia, Broadcast (parallel pattern), pipelined Fibonacci tree; any p
//   picture    p = 7: 1: 0>1; 2: 1>2 0>5; 3: 2>3 1>4 5>6
// k = Parameters::segments. N(d) = 1 + N(d - 1) + N(d - 2) nodes: the most that d rounds can reach so.
#include "collective/binary_tree.hpp"
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/row.hpp"

namespace vnode::registered {

using Tree = DownBinaryTree<first_fibonacci, fibonacci_depth, 3>;

static constexpr Symbol symbols[] = {fibonacci_levels};

constinit const Algorithm broadcast_fibonacci = row_of<Tree>({
    .name = "broadcast_fibonacci",
    .collective = Collective::broadcast,
    .rounds = "(d + (1 + [p > 3]) (k - 1)) [p > 1]",
    .transfers = "(p - 1) k",
    .time = "(d + (1 + [p > 3]) (k - 1)) [p > 1] (t_s + t_w m / k)",
    .symbols = symbols,
    .segments = true,
    .carriers = fully_connected,
    .best_for = "messages of middle length, all pairs linked",
    .source = "Wikipedia, Broadcast (parallel pattern), pipelined Fibonacci tree; any p",
});

}  // namespace vnode::registered
