// scatter_direct: the root offers all blocks at once, everybody else takes its own.
//   rounds     min(p - 1, 1)
//   transfers  p - 1
//   time       (t_s + t_w m) min(p - 1, 1)
//   needs      nothing
//   ports      all
//   best for   shared memory: everybody fetches its own
//   source     single-copy scatter of shared-memory libraries
//   picture    p = 6, root 2: 1: 2>0[0] 2>1[1] 2>3[3] 2>4[4] 2>5[5]
// The time holds as long as the root can feed all others at the speed of one.
#include "collective/broadcast.hpp"
#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/personalized.hpp"
#include "collective/scatter.hpp"

namespace vnode {

Schedule scatter_direct(const Parameters& parameters) { return personalized(broadcast_direct(parameters)); }

namespace registered {

constinit const Algorithm scatter_direct{
    .name = "scatter_direct",
    .collective = Collective::scatter,
    .build = vnode::scatter_direct,
    .cost = [](const Parameters& parameters) { return whole_messages(parameters.nodes > 1); },
    .rounds = one_unless_alone,
    .transfers = one_per_other_node,
    .time = "(t_s + t_w m) min(p - 1, 1)",
    .peers = Along<broadcast_direct>::peers,
    .ports = Ports::all,
    .carriers = fully_connected,
    .best_for = "shared memory: everybody fetches its own",
    .source = "single-copy scatter of shared-memory libraries",
};

}  // namespace registered
}  // namespace vnode
