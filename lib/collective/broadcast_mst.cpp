// broadcast_mst: a linear array in halves: each holder sends to the corresponding node of the other half.
//   rounds     ceil(log2 p)
//   transfers  p - 1
//   time       (t_s + t_w m) ceil(log2 p)
//   needs      nothing
//   ports      single
//   best for   short messages on arrays
//   source     Barnett et al. 1996, minimum spanning tree on a linear array; any halves by clipping
//   picture    p = 6, root 5: 1: 5>2; 2: 2>0 5>3; 3: 0>1 3>4
// On meshes whose extents are no powers of two messages may meet: 5>6 and 4>3 on 3x3 from root 2.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/halves.hpp"

namespace vnode {

Schedule broadcast_mst(const Parameters& parameters) { return by_halves(parameters, corresponding); }

namespace registered {

constinit const Algorithm broadcast_mst{
    .name = "broadcast_mst",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_mst,
    .cost = message_in_each<one_per_doubling>,
    .rounds = one_per_doubling,
    .transfers = one_per_other_node,
    .time = "(t_s + t_w m) ceil(log2 p)",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return across_halves(parameters, corresponding, round, from, to); },
    .carriers = every_line,
    .best_for = "short messages on arrays",
    .source = "Barnett et al. 1996, minimum spanning tree on a linear array; any halves by clipping",
};

}  // namespace registered
}  // namespace vnode
