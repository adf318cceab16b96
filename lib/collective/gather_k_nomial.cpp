// gather_k_nomial: a tree whose nodes have radix - 1 children per digit of their relative rank.
//   rounds     (k - 1) i + floor((p - 1) / k^i)
//   transfers  p - 1
//   time       t_s ((k - 1) i + floor((p - 1) / k^i)) + t_w m (p - 1)
//   needs      nothing
//   ports      single
//   best for   short messages, where startups overlap
//   source     scatter_k_nomial backwards
//   picture    p = 9, root 0, radix 3: 1: 1>0[1] 4>3[4] 7>6[7]; 2: 2>0[2] 5>3[5] 8>6[8]; 3: 3>0[3-5]; 4:
//              6>0[6-8]
// k = Parameters::radix; i: the greatest i with k^i < p, 0 for one node.
#include <vnode/compose.hpp>

#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/gather.hpp"
#include "collective/k_nomial.hpp"
#include "collective/scatter.hpp"

namespace vnode {

Schedule gather_k_nomial(const Parameters& parameters) { return reversed(scatter_k_nomial(parameters)); }

namespace registered {

constinit const Algorithm gather_k_nomial{
    .name = "gather_k_nomial",
    .collective = Collective::gather,
    .build = vnode::gather_k_nomial,
    .cost = Reversed<scatter_k_nomial>::cost,
    .rounds = one_per_distance,
    .transfers = one_per_other_node,
    .time = "t_s ((k - 1) i + floor((p - 1) / k^i)) + t_w m (p - 1)",
    .symbols = k_nomial_symbols,
    .peers = Reversed<scatter_k_nomial>::peers,
    .radix = true,
    .carriers = every_family_but_torus,
    .best_for = "short messages, where startups overlap",
    .source = "scatter_k_nomial backwards",
};

}  // namespace registered
}  // namespace vnode
