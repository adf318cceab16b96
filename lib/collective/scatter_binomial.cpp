// scatter_binomial: a binomial tree over ranks relative to the root, for any p.
//   rounds     ceil(log2 p)
//   transfers  p - 1
//   time       t_s ceil(log2 p) + t_w m (p - 1)
//   needs      nothing
//   ports      single
//   best for   short messages, any number of nodes
//   source     Grama et al. 4.4 along broadcast_binomial
//   picture    p = 6, root 5: 1: 5>3[3-4]; 2: 5>1[1-2]; 3: 5>0[0] 1>2[2] 3>4[4]
// The node at distance d of a holder gets the blocks of the next d ranks, as far as there are any.
#include "collective/broadcast.hpp"
#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/personalized.hpp"
#include "collective/scatter.hpp"

namespace vnode {

Schedule scatter_binomial(const Parameters& parameters) {
  return personalized(broadcast_binomial(parameters));
}

namespace registered {

constinit const Algorithm scatter_binomial{
    .name = "scatter_binomial",
    .collective = Collective::scatter,
    .build = vnode::scatter_binomial,
    .cost =
        [](const Parameters& parameters) {
          return one_block_per_other_node(ceil_log2(parameters.nodes), parameters.nodes);
        },
    .rounds = {"ceil(log2 p)", Along<broadcast_binomial>::rounds},
    .transfers = one_per_other_node,
    .time = "t_s ceil(log2 p) + t_w m (p - 1)",
    .peers = Along<broadcast_binomial>::peers,
    .carriers = every_family_but_torus,
    .best_for = "short messages, any number of nodes",
    .source = "Grama et al. 4.4 along broadcast_binomial",
};

}  // namespace registered
}  // namespace vnode
