// all_reduce_two_shot_direct: everybody combines a part of all messages in rank order, then reads all parts.
//   rounds     2 min(p - 1, 1)
//   transfers  2 p (p - 1)
//   time       2 (t_s + t_w m / p) min(p - 1, 1) + t_op m (p - 1) / p
//   needs      nothing
//   ports      all
//   best for   shared memory, long messages: every byte is read twice
//   source     two-shot all-reduce of shared-memory and GPU libraries
//   picture    p = 4: 1: 1>+0[0] 2>+0[0] 3>+0[0] 0+>1[1] 2>+1[1] 3>+1[1] 0+>2[2] 1+>2[2] 3>+2[2] 0+>3[3]
//              1+>3[3] 2+>3[3]; 2: 0>1[0] 0>2[0] 0>3[0] 1>0[1] 1>2[1] 1>3[1] 2>0[2] 2>1[2] 2>3[2] 3>0[3]
//              3>1[3] 3>2[3]
// The time holds as long as a node reads all others at the speed of one.
#include <vnode/compose.hpp>

#include "collective/all_gather.hpp"
#include "collective/all_reduce.hpp"
#include "collective/composition.hpp"
#include "collective/reduce_scatter.hpp"

namespace vnode {

Schedule all_reduce_two_shot_direct(const Parameters& parameters) {
  return then(reduce_scatter_direct(parameters), all_gather_direct(parameters));
}

namespace registered {

using Promised = Splitting<reduce_scatter_direct, all_gather_direct>;

constinit const Algorithm all_reduce_two_shot_direct{
    .name = "all_reduce_two_shot_direct",
    .collective = Collective::all_reduce,
    .build = vnode::all_reduce_two_shot_direct,
    .cost = Promised::cost,
    .rounds = {"2 min(p - 1, 1)", Promised::rounds},
    .transfers = {"2 p (p - 1)", Promised::transfers},
    .time = "2 (t_s + t_w m / p) min(p - 1, 1) + t_op m (p - 1) / p",
    .peers = Promised::peers,
    .ports = Ports::all,
    .carriers = fully_connected,
    .best_for = "shared memory, long messages: every byte is read twice",
    .source = "two-shot all-reduce of shared-memory and GPU libraries",
};

}  // namespace registered
}  // namespace vnode
