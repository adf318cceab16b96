// broadcast_low_bit_first: the counter-example: distances double, and messages pile up on links.
//   rounds     log2 p
//   transfers  p - 1
//   time       (t_s + t_w m) log2 p
//   needs      power_of_two
//   ports      single
//   best for   showing congestion: round i has load 2^i on an array or tree
//   source     Grama et al. 4.1.1; Barnett et al. 1996, the hypercube-like algorithm
//   picture    p = 8, root 0: 1: 0>1; 2: 0>2 1>3; 3: 0>4 1>5 2>6 3>7
// The time is that of a cube; on an array, where messages meet, it is t_s log2 p + t_w m (p - 1).
#include "collective/broadcast.hpp"
#include "collective/dimensions.hpp"
#include "collective/formula.hpp"

namespace vnode {

Schedule broadcast_low_bit_first(const Parameters& parameters) {
  return along_dimensions(parameters.nodes, parameters.root, lowest_first(parameters.nodes));
}

namespace registered {

constinit const Algorithm broadcast_low_bit_first{
    .name = "broadcast_low_bit_first",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_low_bit_first,
    .cost = message_in_each<one_per_dimension>,
    .rounds = one_per_dimension,
    .transfers = one_per_other_node,
    .time = "(t_s + t_w m) log2 p",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return across_dimension(lowest_first(parameters.nodes), round, from, to); },
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "showing congestion: round i has load 2^i on an array or tree",
    .source = "Grama et al. 4.1.1; Barnett et al. 1996, the hypercube-like algorithm",
};

}  // namespace registered
}  // namespace vnode
