// reduce_scatter_hierarchical: to the leaders of domains, among these, from there to all; or slice by slice.
//   rounds     R + (k - 1) P
//   transfers  M k
//   time       (R + (k - 1) P) t_s + (W t_w + C t_op) m
//   needs      domains
//   ports      all
//   best for   domains that are far from each other
//   source     dual of all_gather_hierarchical
//   picture    p = 6, domains 2x3: 1: 1>+0[0,2-5] 4>+3[0-3,5]; 2: 2>+0[0-1,3-5] 5>+3[0-4]; 3: 3>+0[0-2]
//              0+>3[3-5]; 4: 0+>2[2] 3+>5[5]; 5: 0+>1[1] 3+>4[4]
#include "collective/hierarchical.hpp"

namespace vnode {

namespace {

Schedule segment(const Parameters& parameters) {
  return hierarchical_dual(all_gather_hierarchical, parameters);
}

using Promised = Hierarchical<Collective::reduce_scatter, segment>;

}  // namespace

Schedule reduce_scatter_hierarchical(const Parameters& parameters) { return Promised::build(parameters); }

namespace registered {

extern constinit const Algorithm reduce_scatter_hierarchical = combining_row<Promised>({
    .name = "reduce_scatter_hierarchical",
    .collective = Collective::reduce_scatter,
    .best_for = "domains that are far from each other",
    .source = "dual of all_gather_hierarchical",
});

}  // namespace registered
}  // namespace vnode
