// broadcast_doubling: recursive doubling on a linear array or ring; distances halve, holders double.
//   rounds     log2 p
//   transfers  p - 1
//   time       (t_s + t_w m) log2 p
//   needs      power_of_two
//   ports      single
//   best for   short messages on arrays, rings, meshes and trees of 2^d nodes
//   source     Grama et al. 4.1.1, algorithms 4.1 and 4.2
//   picture    p = 8, root 5: 1: 5>1; 2: 5>7 1>3; 3: 5>4 7>6 1>0 3>2
// The messages of a round stay inside disjoint aligned groups of twice their distance: no two share a link.
#include "collective/broadcast.hpp"
#include "collective/dimensions.hpp"
#include "collective/formula.hpp"

namespace vnode {

Schedule broadcast_doubling(const Parameters& parameters) {
  return along_dimensions(parameters.nodes, parameters.root, highest_first(parameters.nodes));
}

namespace registered {

constinit const Algorithm broadcast_doubling{
    .name = "broadcast_doubling",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_doubling,
    .cost = message_in_each<one_per_dimension>,
    .rounds = one_per_dimension,
    .transfers = one_per_other_node,
    .time = "(t_s + t_w m) log2 p",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return across_dimension(highest_first(parameters.nodes), round, from, to); },
    .needs = power_of_two,
    .carriers = every_family,
    .best_for = "short messages on arrays, rings, meshes and trees of 2^d nodes",
    .source = "Grama et al. 4.1.1, algorithms 4.1 and 4.2",
};

}  // namespace registered
}  // namespace vnode
