// gather_hierarchical: from all domains to their leaders, from these to the root; or slice by slice.
//   rounds     R + (k - 1) P
//   transfers  M k
//   time       (R + (k - 1) P) t_s + W t_w m
//   needs      domains
//   ports      all
//   best for   domains that are far from each other
//   source     scatter_hierarchical backwards
//   picture    p = 6, domains 2x3, root 0: 1: 1>0[1] 4>3[4]; 2: 2>0[2] 5>3[5]; 3: 3>0[3-5]
#include <vnode/compose.hpp>

#include "collective/hierarchical.hpp"

namespace vnode {

namespace {

Schedule segment(const Parameters& parameters) { return reversed(scatter_hierarchical(parameters)); }

using Promised = Hierarchical<Collective::gather, segment>;

}  // namespace

Schedule gather_hierarchical(const Parameters& parameters) { return Promised::build(parameters); }

namespace registered {

extern constinit const Algorithm gather_hierarchical = moving_row<Promised>({
    .name = "gather_hierarchical",
    .collective = Collective::gather,
    .best_for = "domains that are far from each other",
    .source = "scatter_hierarchical backwards",
});

}  // namespace registered
}  // namespace vnode
