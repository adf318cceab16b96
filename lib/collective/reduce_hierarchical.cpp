// reduce_hierarchical: from all domains to their leaders, then among these; or so slice by slice.
//   rounds     R + (k - 1) P
//   transfers  M k
//   time       (R + (k - 1) P) t_s + (W t_w + C t_op) m
//   needs      domains
//   ports      all
//   best for   domains that are far from each other: each is left once
//   source     dual of broadcast_hierarchical
//   picture    p = 6, domains 2x3, root 0: 1: 1>+0 4>+3; 2: 2>+0 5>+3; 3: 3>+0
#include "collective/hierarchical.hpp"

namespace vnode {

namespace {

Schedule segment(const Parameters& parameters) {
  return hierarchical_dual(broadcast_hierarchical, parameters);
}

using Promised = Hierarchical<Collective::reduce, segment>;

}  // namespace

Schedule reduce_hierarchical(const Parameters& parameters) { return Promised::build(parameters); }

namespace registered {

extern constinit const Algorithm reduce_hierarchical = combining_row<Promised>({
    .name = "reduce_hierarchical",
    .collective = Collective::reduce,
    .keeps_order = KeepsOrder::through_zero,
    .best_for = "domains that are far from each other: each is left once",
    .source = "dual of broadcast_hierarchical",
});

}  // namespace registered
}  // namespace vnode
