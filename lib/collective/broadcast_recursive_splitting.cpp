// broadcast_recursive_splitting: a linear array in halves: each holder sends as far from the root as it can.
//   rounds     ceil(log2 p)
//   transfers  p - 1
//   time       (t_s + t_w m) ceil(log2 p)
//   needs      nothing
//   ports      single
//   best for   short messages on meshes of any extents, which it need not know
//   source     Barnett et al. 1996, recursive splitting
//   picture    p = 12, root 5: 1: 5>11; 2: 5>0 11>8; 3: 0>2 5>3 8>7 11>10; 4: 0>1 3>4 7>6 10>9
// Holders left of the root are at the left end of their part and send right, those right of it send left: so
// two messages run the same way in disjoint intervals, or towards each other, and never share an xy link.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/halves.hpp"

namespace vnode {

Schedule broadcast_recursive_splitting(const Parameters& parameters) {
  return by_halves(parameters, farthest);
}

namespace registered {

constinit const Algorithm broadcast_recursive_splitting{
    .name = "broadcast_recursive_splitting",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_recursive_splitting,
    .cost = message_in_each<one_per_doubling>,
    .rounds = one_per_doubling,
    .transfers = one_per_other_node,
    .time = "(t_s + t_w m) ceil(log2 p)",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return across_halves(parameters, farthest, round, from, to); },
    .carriers = every_family_but_torus,
    .best_for = "short messages on meshes of any extents, which it need not know",
    .source = "Barnett et al. 1996, recursive splitting",
};

}  // namespace registered
}  // namespace vnode
