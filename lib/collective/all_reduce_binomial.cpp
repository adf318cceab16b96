// all_reduce_binomial: a reduction to rank 0 and a broadcast from it, both by binomial trees.
//   rounds     2 ceil(log2 p)
//   transfers  2 (p - 1)
//   time       (2 t_s + (2 t_w + t_op) m) ceil(log2 p)
//   needs      nothing
//   ports      single
//   best for   few messages; lines, rings and meshes
//   source     reduce_binomial, then broadcast_binomial
//   picture    p = 6: 1: 1>+0 3>+2 5>+4; 2: 2>+0; 3: 4>+0; 4: 0>4; 5: 0>2; 6: 0>1 2>3 4>5
#include <vnode/compose.hpp>

#include "collective/all_reduce.hpp"
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/reduce.hpp"

namespace vnode {

Schedule all_reduce_binomial(const Parameters& parameters) {
  const Parameters from_zero{.nodes = parameters.nodes};
  return then(reduce_binomial(from_zero), broadcast_binomial(from_zero));
}

namespace registered {

constinit const Algorithm all_reduce_binomial{
    .name = "all_reduce_binomial",
    .collective = Collective::all_reduce,
    .build = vnode::all_reduce_binomial,
    .cost =
        [](const Parameters& parameters) {
          const Cost tree = whole_messages(ceil_log2(parameters.nodes));
          return combining(tree) + tree;
        },
    .rounds = {"2 ceil(log2 p)",
               [](const Parameters& parameters) { return 2 * ceil_log2(parameters.nodes); }},
    .transfers = {"2 (p - 1)", [](const Parameters& parameters) { return 2 * (parameters.nodes - 1); }},
    .time = "(2 t_s + (2 t_w + t_op) m) ceil(log2 p)",
    .peers =
        [](const Parameters& parameters, int round, Rank from, Rank to) {
          const int height = ceil_log2(parameters.nodes);
          return round < height ? from - to == 1 << round
                                : to - from == top_distance(parameters.nodes) >> (round - height);
        },
    .carriers = every_family_but_torus,
    .best_for = "few messages; lines, rings and meshes",
    .source = "reduce_binomial, then broadcast_binomial",
};

}  // namespace registered
}  // namespace vnode
