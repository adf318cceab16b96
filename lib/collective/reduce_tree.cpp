// reduce_tree: on a balanced binary tree, nodes at the leaves; each round crosses higher switches.
//   rounds     log2 p
//   transfers  p - 1
//   time       (t_s + (t_w + t_op) m) log2 p
//   needs      power_of_two
//   ports      single
//   best for   short messages on balanced binary trees
//   source     Grama et al. 4.1.4, dual of broadcast_tree
//   picture    p = 8, root 5: 1: 4+>5 6+>7 0+>1 2+>3; 2: 7>+5 3>+1; 3: 1+>5
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"

namespace vnode::registered {

static constexpr Carrier tree_carriers[] = {{"tree", ""}, {"full", ""}};

extern constinit const Algorithm reduce_tree = row_of<ReductionAlong<broadcast_tree>>({
    .name = "reduce_tree",
    .collective = Collective::reduce,
    .rounds = "log2 p",
    .transfers = "p - 1",
    .time = "(t_s + (t_w + t_op) m) log2 p",
    .needs = power_of_two,
    .carriers = tree_carriers,
    .best_for = "short messages on balanced binary trees",
    .source = "Grama et al. 4.1.4, dual of broadcast_tree",
});

}  // namespace vnode::registered
