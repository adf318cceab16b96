// reduce_k_nomial: a tree whose nodes have radix - 1 children per digit of their relative rank.
//   rounds     (k - 1) i + floor((p - 1) / k^i) + z
//   transfers  p - 1 + z
//   time       (t_s + (t_w + t_op) m) ((k - 1) i + floor((p - 1) / k^i)) + (t_s + t_w m) z
//   needs      nothing
//   ports      single
//   best for   short messages, where startups overlap
//   source     dual of broadcast_k_nomial
//   picture    p = 9, root 0, radix 3: 1: 1>+0 4>+3 7>+6; 2: 2>+0 5>+3 8>+6; 3: 3>+0; 4: 6>+0
// z: where keep_order asks for rank order and this root breaks it, rank 0 combines and sends the result on.
// k = Parameters::radix; i: the greatest i with k^i < p, 0 for one node.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/k_nomial.hpp"
#include "collective/reduction.hpp"

namespace vnode {

namespace {

bool through_zero(const Parameters& parameters) {
  const int p = parameters.nodes, k = radix(parameters);
  return breaks_order(parameters, p - top_digit(p, k) * top_weight(p, k));
}

using Promised = ReductionAlong<registered::broadcast_k_nomial, through_zero>;

constexpr Symbol symbols[] = {k_nomial_digits, Promised::z};

}  // namespace

namespace registered {

extern constinit const Algorithm reduce_k_nomial = row_of<Promised>({
    .name = "reduce_k_nomial",
    .collective = Collective::reduce,
    .rounds = "(k - 1) i + floor((p - 1) / k^i) + z",
    .transfers = "p - 1 + z",
    .time = "(t_s + (t_w + t_op) m) ((k - 1) i + floor((p - 1) / k^i)) + (t_s + t_w m) z",
    .symbols = symbols,
    .radix = true,
    .keeps_order = KeepsOrder::through_zero,
    .carriers = every_family_but_torus,
    .best_for = "short messages, where startups overlap",
    .source = "dual of broadcast_k_nomial",
});

}  // namespace registered
}  // namespace vnode
