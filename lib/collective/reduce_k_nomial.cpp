// reduce_k_nomial: a tree whose nodes have radix - 1 children per digit of their relative rank.
//   rounds     (k - 1) i + floor((p - 1) / k^i) + e
//   transfers  p - 1 + e
//   time       (t_s + (t_w + t_op) m) ((k - 1) i + floor((p - 1) / k^i)) + (t_s + t_w m) e
//   needs      nothing
//   ports      single
//   best for   short messages, where startups overlap
//   source     dual of broadcast_k_nomial
//   picture    p = 9, root 0, radix 3: 1: 1>+0 4>+3 7>+6; 2: 2>+0 5>+3 8>+6; 3: 3>+0; 4: 6>+0
// e: 1 where rank order is asked for and this root breaks it: rank 0 combines and sends the result on;
// otherwise 0. k = Parameters::radix; i: the greatest i with k^i < p, 0 for one node.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/k_nomial.hpp"
#include "collective/reduction.hpp"

namespace vnode {

namespace {

// The ranks relative to the root run over p - 1 to 0 inside a partial result, unless they do so between the
// last one and all others.
bool through_zero(const Parameters& parameters) {
  const int p = parameters.nodes, k = radix(parameters);
  return parameters.keep_order && parameters.root != 0 &&
         parameters.root != p - top_digit(p, k) * top_weight(p, k);
}

ReductionPromises promises(const Parameters& parameters) {
  return {registered::broadcast_k_nomial, through_zero(parameters)};
}

}  // namespace

Schedule reduce_k_nomial(const Parameters& parameters) { return reduction(broadcast_k_nomial, parameters); }

namespace {

constexpr Symbol symbols[] = {
    k_nomial_digits,
    {"e",
     "1 where rank order is asked for and this root breaks it: rank 0 combines and sends the result on; "
     "otherwise 0",
     [](const Parameters& parameters) -> double { return promises(parameters).through_zero; }}};

}  // namespace

namespace registered {

extern constinit const Algorithm reduce_k_nomial{
    .name = "reduce_k_nomial",
    .collective = Collective::reduce,
    .build = vnode::reduce_k_nomial,
    .cost = Reduced<promises>::cost,
    .rounds = {"(k - 1) i + floor((p - 1) / k^i) + e", Reduced<promises>::rounds},
    .transfers = {"p - 1 + e", Reduced<promises>::transfers},
    .time = "(t_s + (t_w + t_op) m) ((k - 1) i + floor((p - 1) / k^i)) + (t_s + t_w m) e",
    .symbols = symbols,
    .peers = Reduced<promises>::peers,
    .radix = true,
    .keeps_order = KeepsOrder::through_zero,
    .carriers = every_family_but_torus,
    .best_for = "short messages, where startups overlap",
    .source = "dual of broadcast_k_nomial",
};

}  // namespace registered
}  // namespace vnode
