// gather_hypercube: one dimension a round, the lowest first; the message doubles.
//   rounds     log2 p
//   transfers  p - 1
//   time       t_s log2 p + t_w m (p - 1)
//   needs      power_of_two
//   ports      single
//   best for   short messages on hypercubes
//   source     scatter_hypercube backwards
//   picture    p = 8, root 5: 1: 4>5[4] 6>7[6] 0>1[0] 2>3[2]; 2: 7>5[6-7] 3>1[2-3]; 3: 1>5[0-3]
#include <vnode/compose.hpp>

#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/gather.hpp"
#include "collective/scatter.hpp"

namespace vnode {

Schedule gather_hypercube(const Parameters& parameters) { return reversed(scatter_hypercube(parameters)); }

namespace registered {

constinit const Algorithm gather_hypercube{
    .name = "gather_hypercube",
    .collective = Collective::gather,
    .build = vnode::gather_hypercube,
    .cost = Reversed<scatter_hypercube>::cost,
    .rounds = {"log2 p", Reversed<scatter_hypercube>::rounds},
    .transfers = one_per_other_node,
    .time = "t_s log2 p + t_w m (p - 1)",
    .peers = Reversed<scatter_hypercube>::peers,
    .needs = power_of_two,
    .carriers = every_family,
    .best_for = "short messages on hypercubes",
    .source = "scatter_hypercube backwards",
};

}  // namespace registered
}  // namespace vnode
