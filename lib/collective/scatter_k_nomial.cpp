// scatter_k_nomial: a tree whose nodes have radix - 1 children per digit of their relative rank.
//   rounds     (k - 1) i + floor((p - 1) / k^i)
//   transfers  p - 1
//   time       t_s ((k - 1) i + floor((p - 1) / k^i)) + t_w m (p - 1)
//   needs      nothing
//   ports      single
//   best for   short messages, where startups overlap
//   source     k-nomial trees of MPI libraries
//   picture    p = 9, root 0, radix 3: 1: 0>6[6-8]; 2: 0>3[3-5]; 3: 0>2[2] 3>5[5] 6>8[8]; 4: 0>1[1] 3>4[4]
//              6>7[7]
// k = Parameters::radix; i: the greatest i with k^i < p, 0 for one node.
#include "collective/broadcast.hpp"
#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/k_nomial.hpp"
#include "collective/personalized.hpp"
#include "collective/scatter.hpp"

namespace vnode {

Schedule scatter_k_nomial(const Parameters& parameters) {
  return personalized(broadcast_k_nomial(parameters));
}

namespace registered {

constinit const Algorithm scatter_k_nomial{
    .name = "scatter_k_nomial",
    .collective = Collective::scatter,
    .build = vnode::scatter_k_nomial,
    .cost =
        [](const Parameters& parameters) {
          return one_block_per_other_node(k_nomial_rounds(parameters), parameters.nodes);
        },
    .rounds = one_per_distance,
    .transfers = one_per_other_node,
    .time = "t_s ((k - 1) i + floor((p - 1) / k^i)) + t_w m (p - 1)",
    .symbols = k_nomial_symbols,
    .peers = Along<broadcast_k_nomial>::peers,
    .radix = true,
    .carriers = every_family_but_torus,
    .best_for = "short messages, where startups overlap",
    .source = "k-nomial trees of MPI libraries",
};

}  // namespace registered
}  // namespace vnode
