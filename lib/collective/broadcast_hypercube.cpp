// broadcast_hypercube: one dimension a round, in any order; every message is one hop.
//   rounds     log2 p
//   transfers  p - 1
//   time       (t_s + t_w m) log2 p
//   needs      power_of_two
//   ports      single
//   best for   short messages on hypercubes
//   source     Grama et al. 4.1.3, algorithms 4.1 and 4.2
//   picture    p = 8, root 0: 1: 0>4; 2: 0>2 4>6; 3: 0>1 2>3 4>5 6>7
// Parameters::dimension_order gives the order; without it the highest dimension comes first.
#include "collective/broadcast.hpp"
#include "collective/dimensions.hpp"
#include "collective/formula.hpp"

namespace vnode {

namespace {

std::vector<int> order(const Parameters& parameters) {
  return parameters.dimension_order.empty() ? highest_first(parameters.nodes) : parameters.dimension_order;
}

}  // namespace

Schedule broadcast_hypercube(const Parameters& parameters) {
  return along_dimensions(parameters.nodes, parameters.root, order(parameters));
}

namespace registered {

constinit const Algorithm broadcast_hypercube{
    .name = "broadcast_hypercube",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_hypercube,
    .cost = message_in_each<one_per_dimension>,
    .rounds = one_per_dimension,
    .transfers = one_per_other_node,
    .time = "(t_s + t_w m) log2 p",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return across_dimension(order(parameters), round, from, to); },
    .needs = power_of_two,
    .dimension_order = true,
    .carriers = hypercube_family,
    .best_for = "short messages on hypercubes",
    .source = "Grama et al. 4.1.3, algorithms 4.1 and 4.2",
};

}  // namespace registered
}  // namespace vnode
