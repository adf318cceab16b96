// gather_direct: all nodes offer their block at once, the root takes them.
//   rounds     min(p - 1, 1)
//   transfers  p - 1
//   time       (t_s + t_w m) min(p - 1, 1)
//   needs      nothing
//   ports      all
//   best for   shared memory: the root fetches everything
//   source     scatter_direct backwards
//   picture    p = 6, root 2: 1: 0>2[0] 1>2[1] 3>2[3] 4>2[4] 5>2[5]
// The time holds as long as the root reads all others at the speed of one.
#include <vnode/compose.hpp>

#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/gather.hpp"
#include "collective/scatter.hpp"

namespace vnode {

Schedule gather_direct(const Parameters& parameters) { return reversed(scatter_direct(parameters)); }

namespace registered {

constinit const Algorithm gather_direct{
    .name = "gather_direct",
    .collective = Collective::gather,
    .build = vnode::gather_direct,
    .cost = [](const Parameters& parameters) { return from_all_at_once(parameters.nodes); },
    .rounds = one_unless_alone,
    .transfers = one_per_other_node,
    .time = "(t_s + t_w m) min(p - 1, 1)",
    .peers = Reversed<scatter_direct>::peers,
    .ports = Ports::all,
    .carriers = fully_connected,
    .best_for = "shared memory: the root fetches everything",
    .source = "scatter_direct backwards",
};

}  // namespace registered
}  // namespace vnode
