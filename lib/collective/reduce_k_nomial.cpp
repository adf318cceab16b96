// reduce_k_nomial: a tree whose nodes have radix - 1 children per digit of their relative rank.
//   rounds     as many as j k^i < p, 0 < j < k (+ 1)
//   transfers  p - 1 (+ 1)
//   time       (t_s + t_w m) ((k - 1) ceil(log_k p) (+ 1)), at most, for radix k
//   needs      nothing
//   ports      single
//   best for   short messages, where startups overlap
//   source     dual of broadcast_k_nomial
//   picture    p = 9, root 0, radix 3: 1: 1>+0 4>+3 7>+6; 2: 2>+0 5>+3 8>+6; 3: 3>+0; 4: 6>+0
// (+ 1): where keep_order asks for rank order and this root breaks it, rank 0 combines and sends the result
// on.
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

namespace registered {

extern constinit const Algorithm reduce_k_nomial{
    .name = "reduce_k_nomial",
    .collective = Collective::reduce,
    .build = vnode::reduce_k_nomial,
    .cost = [](const Parameters& parameters) { return promises(parameters).cost(parameters); },
    .rounds = {"as many as j k^i < p, 0 < j < k (+ 1)",
               [](const Parameters& parameters) { return promises(parameters).rounds(parameters); }},
    .transfers = {"p - 1 (+ 1)",
                  [](const Parameters& parameters) { return promises(parameters).transfers(parameters); }},
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return promises(parameters).peers(parameters, round, from, to); },
    .radix = true,
    .keeps_order = KeepsOrder::through_zero,
    .carriers = every_family_but_torus,
    .best_for = "short messages, where startups overlap",
    .source = "dual of broadcast_k_nomial",
};

}  // namespace registered
}  // namespace vnode
