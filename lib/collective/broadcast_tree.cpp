// broadcast_tree: on a balanced binary tree, nodes at the leaves; each round crosses lower switches.
//   rounds     log2 p
//   transfers  p - 1
//   time       (t_s + t_w m) log2 p
//   needs      power_of_two
//   ports      single
//   best for   short messages on balanced binary trees
//   source     Grama et al. 4.1.4
//   picture    p = 8, root 0: 1: 0>4; 2: 0>2 4>6; 3: 0>1 2>3 4>5 6>7
// The highest dimension of a label says which side of the topmost switch its leaf is on: the sends of
// doubling.
#include "collective/broadcast.hpp"
#include "collective/dimensions.hpp"
#include "collective/formula.hpp"

namespace vnode {

Schedule broadcast_tree(const Parameters& parameters) {
  return along_dimensions(parameters.nodes, parameters.root, highest_first(parameters.nodes));
}

namespace registered {

static constexpr Carrier tree_carriers[] = {{"tree", ""}, {"full", ""}};

constinit const Algorithm broadcast_tree{
    .name = "broadcast_tree",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_tree,
    .cost = message_in_each<one_per_dimension>,
    .rounds = one_per_dimension,
    .transfers = one_per_other_node,
    .time = "(t_s + t_w m) log2 p",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return across_dimension(highest_first(parameters.nodes), round, from, to); },
    .needs = power_of_two,
    .carriers = tree_carriers,
    .best_for = "short messages on balanced binary trees",
    .source = "Grama et al. 4.1.4",
};

}  // namespace registered
}  // namespace vnode
