// gather_k_nomial: a tree whose nodes have radix - 1 children per digit of their relative rank.
//   rounds     as many as j k^i < p, 0 < j < k
//   transfers  p - 1
//   time       t_s (k - 1) ceil(log_k p) + t_w m (p - 1), at most, for radix k
//   needs      nothing
//   ports      single
//   best for   short messages, where startups overlap
//   source     scatter_k_nomial backwards
//   picture    p = 9, root 0, radix 3: 1: 1>0[1] 4>3[4] 7>6[7]; 2: 2>0[2] 5>3[5] 8>6[8]; 3: 3>0[3-5]; 4:
//              6>0[6-8]
// Parameters::radix is k.
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
    .peers = Reversed<scatter_k_nomial>::peers,
    .radix = true,
    .carriers = every_family_but_torus,
    .best_for = "short messages, where startups overlap",
    .source = "scatter_k_nomial backwards",
};

}  // namespace registered
}  // namespace vnode
