// gather_binomial: a binomial tree over ranks relative to the root, for any p.
//   rounds     ceil(log2 p)
//   transfers  p - 1
//   time       t_s ceil(log2 p) + t_w m (p - 1)
//   needs      nothing
//   ports      single
//   best for   short messages, any number of nodes
//   source     scatter_binomial backwards
//   picture    p = 6, root 5: 1: 0>5[0] 2>1[2] 4>3[4]; 2: 1>5[1-2]; 3: 3>5[3-4]
#include <vnode/compose.hpp>

#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/gather.hpp"
#include "collective/scatter.hpp"

namespace vnode {

Schedule gather_binomial(const Parameters& parameters) { return reversed(scatter_binomial(parameters)); }

namespace registered {

constinit const Algorithm gather_binomial{
    .name = "gather_binomial",
    .collective = Collective::gather,
    .build = vnode::gather_binomial,
    .cost = Reversed<scatter_binomial>::cost,
    .rounds = {"ceil(log2 p)", Reversed<scatter_binomial>::rounds},
    .transfers = one_per_other_node,
    .time = "t_s ceil(log2 p) + t_w m (p - 1)",
    .peers = Reversed<scatter_binomial>::peers,
    .carriers = every_family_but_torus,
    .best_for = "short messages, any number of nodes",
    .source = "scatter_binomial backwards",
};

}  // namespace registered
}  // namespace vnode
