// broadcast_mesh: on a mesh of any extents: the root's row, then all columns, and so on.
//   rounds     sum(ceil(log2 extent))
//   transfers  p - 1
//   time       (t_s + t_w m) sum(ceil(log2 extent))
//   needs      extents
//   ports      single
//   best for   short messages on meshes and tori
//   source     Grama et al. 4.1.2; any extents and roots by binomial trees on the lines
//   picture    p = 4x4, root 0: 1: 0>2; 2: 0>1 2>3; 3: 0>8 1>9 2>10 3>11; 4: 0>4 8>12 1>5 9>13 2>6 10>14
//              3>7 11>15
// With keep_order the slowest dimension comes first: then the dual combines rows first, and in rank order.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/lines.hpp"

namespace vnode {

namespace {

LineOrder order(const Parameters& parameters) {
  return parameters.keep_order ? LineOrder::slowest_first : LineOrder::fastest_first;
}

}  // namespace

Schedule broadcast_mesh(const Parameters& parameters) { return along_lines(parameters, order(parameters)); }

namespace registered {

constinit const Algorithm broadcast_mesh{
    .name = "broadcast_mesh",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_mesh,
    .cost = [](const Parameters& parameters) { return whole_messages(line_rounds(parameters)); },
    .rounds = {"sum(ceil(log2 extent))", line_rounds},
    .transfers = one_per_other_node,
    .time = "(t_s + t_w m) sum(ceil(log2 extent))",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return on_a_line(parameters, order(parameters), round, from, to); },
    .needs = mesh_extents,
    .carriers = mesh_families,
    .best_for = "short messages on meshes and tori",
    .source = "Grama et al. 4.1.2; any extents and roots by binomial trees on the lines",
};

}  // namespace registered
}  // namespace vnode
