// reduce_scatter_direct: all nodes offer their message at once; everybody combines its block in rank order.
//   rounds     min(p - 1, 1)
//   transfers  p (p - 1)
//   time       (t_s + t_w m) min(p - 1, 1) + t_op m (p - 1)
//   needs      nothing
//   ports      all
//   best for   shared memory, short messages: one board that all read
//   source     single-copy reduce-scatter of shared-memory libraries; dual of all_gather_direct
//   picture    p = 4: 1: 1>+0[0] 2>+0[0] 3>+0[0] 0+>1[1] 2>+1[1] 3>+1[1] 0+>2[2] 1+>2[2] 3>+2[2] 0+>3[3]
//              1+>3[3] 2+>3[3]
// The time holds as long as a node reads all others at the speed of one.
#include <vnode/compose.hpp>

#include "collective/all_gather.hpp"
#include "collective/composition.hpp"
#include "collective/reduce_scatter.hpp"

namespace vnode {

Schedule reduce_scatter_direct(const Parameters& parameters) { return dual(all_gather_direct(parameters)); }

namespace registered {

using Promised = Dual<all_gather_direct>;

constinit const Algorithm reduce_scatter_direct{
    .name = "reduce_scatter_direct",
    .collective = Collective::reduce_scatter,
    .build = vnode::reduce_scatter_direct,
    .cost = Promised::cost,
    .rounds = {"min(p - 1, 1)", Promised::rounds},
    .transfers = {"p (p - 1)", Promised::transfers},
    .time = "(t_s + t_w m) min(p - 1, 1) + t_op m (p - 1)",
    .peers = Promised::peers,
    .ports = Ports::all,
    .carriers = fully_connected,
    .best_for = "shared memory, short messages: one board that all read",
    .source = "single-copy reduce-scatter of shared-memory libraries; dual of all_gather_direct",
};

}  // namespace registered
}  // namespace vnode
