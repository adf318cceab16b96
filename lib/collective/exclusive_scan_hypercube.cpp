// exclusive_scan_hypercube: scan_hypercube without the own contribution.
//   rounds     log2 p
//   transfers  p log2 p - p + 1
//   time       (t_s + t_w m) log2 p + 2 t_op m max(log2 p - 1, 0)
//   needs      power_of_two
//   ports      single
//   best for   short messages on hypercubes
//   source     Grama et al. 4.3, algorithm 4.9, with results that begin empty
//   picture    p = 4: 1: 0>1[1:0] 0+>1[1] 1>+0[1] 2>3[1:0]; 2: 0>2[1:0] 1+>3[1:0]
// Block 0 is the result, block 1 the total of one's subcube.
#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/scan.hpp"

namespace vnode {

Schedule exclusive_scan_hypercube(const Parameters& parameters) {
  return totals_along_dimensions(parameters.nodes, Prefix::exclusive);
}

namespace registered {

extern constinit const Algorithm exclusive_scan_hypercube{
    .name = "exclusive_scan_hypercube",
    .collective = Collective::exclusive_scan,
    .build = vnode::exclusive_scan_hypercube,
    .cost =
        [](const Parameters& parameters) {
          Cost cost = whole_messages(ceil_log2(parameters.nodes));
          if (parameters.nodes > 1) cost.combined = 2 * (cost.received - 1);
          return cost;
        },
    .rounds = {"log2 p", Along<scan_hypercube>::rounds},
    .transfers = {"p log2 p - p + 1", Along<scan_hypercube>::transfers},
    .time = "(t_s + t_w m) log2 p + 2 t_op m max(log2 p - 1, 0)",
    .peers = Along<scan_hypercube>::peers,
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "short messages on hypercubes",
    .source = "Grama et al. 4.3, algorithm 4.9, with results that begin empty",
};

}  // namespace registered
}  // namespace vnode
