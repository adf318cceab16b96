// reduce_binomial: a binomial tree over ranks relative to the root, for any p; distances double.
//   rounds     ceil(log2 p) + e
//   transfers  p - 1 + e
//   time       (t_s + (t_w + t_op) m) ceil(log2 p) + (t_s + t_w m) e
//   needs      nothing
//   ports      single
//   best for   short messages, any number of nodes
//   source     dual of broadcast_binomial
//   picture    p = 6, root 0: 1: 1>+0 3>+2 5>+4; 2: 2>+0; 3: 4>+0
// e: 1 where rank order is asked for and this root breaks it: rank 0 combines and sends the result on;
// otherwise 0.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"

namespace vnode {

namespace {

// The ranks relative to the root run over p - 1 to 0 inside a partial result, unless they do so between the
// two last ones.
bool through_zero(const Parameters& parameters) {
  const int p = parameters.nodes;
  return parameters.keep_order && parameters.root != 0 && parameters.root != p - top_distance(p);
}

ReductionPromises promises(const Parameters& parameters) {
  return {registered::broadcast_binomial, through_zero(parameters)};
}

}  // namespace

Schedule reduce_binomial(const Parameters& parameters) { return reduction(broadcast_binomial, parameters); }

namespace {

constexpr Symbol symbols[] = {
    {"e",
     "1 where rank order is asked for and this root breaks it: rank 0 combines and sends the result on; "
     "otherwise 0",
     [](const Parameters& parameters) -> double { return promises(parameters).through_zero; }}};

}  // namespace

namespace registered {

extern constinit const Algorithm reduce_binomial{
    .name = "reduce_binomial",
    .collective = Collective::reduce,
    .build = vnode::reduce_binomial,
    .cost = Reduced<promises>::cost,
    .rounds = {"ceil(log2 p) + e", Reduced<promises>::rounds},
    .transfers = {"p - 1 + e", Reduced<promises>::transfers},
    .time = "(t_s + (t_w + t_op) m) ceil(log2 p) + (t_s + t_w m) e",
    .symbols = symbols,
    .peers = Reduced<promises>::peers,
    .keeps_order = KeepsOrder::through_zero,
    .carriers = every_family_but_torus,
    .best_for = "short messages, any number of nodes",
    .source = "dual of broadcast_binomial",
};

}  // namespace registered
}  // namespace vnode
