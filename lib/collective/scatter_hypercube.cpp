// scatter_hypercube: one dimension a round, the highest first; the message halves.
//   rounds     log2 p
//   transfers  p - 1
//   time       t_s log2 p + t_w m (p - 1)
//   needs      power_of_two
//   ports      single
//   best for   short messages on hypercubes
//   source     Grama et al. 4.4
//   picture    p = 8, root 5: 1: 5>1[0-3]; 2: 5>7[6-7] 1>3[2-3]; 3: 5>4[4] 7>6[6] 1>0[0] 3>2[2]
// Labels are relative to the root by XOR. A subcube of the lower dimensions is an interval of ranks for every
// root.
#include "collective/broadcast.hpp"
#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/personalized.hpp"
#include "collective/scatter.hpp"

namespace vnode {

Schedule scatter_hypercube(const Parameters& parameters) {
  return personalized(broadcast_doubling(parameters));
}

namespace registered {

constinit const Algorithm scatter_hypercube{
    .name = "scatter_hypercube",
    .collective = Collective::scatter,
    .build = vnode::scatter_hypercube,
    .cost =
        [](const Parameters& parameters) {
          return one_block_per_other_node(ceil_log2(parameters.nodes), parameters.nodes);
        },
    .rounds = {"log2 p", Along<broadcast_doubling>::rounds},
    .transfers = one_per_other_node,
    .time = "t_s log2 p + t_w m (p - 1)",
    .peers = Along<broadcast_doubling>::peers,
    .needs = power_of_two,
    .carriers = every_family,
    .best_for = "short messages on hypercubes",
    .source = "Grama et al. 4.4",
};

}  // namespace registered
}  // namespace vnode
